import { Progress, Text } from '@mantine/core'
import type { Checklist as Steps } from '@parley/contract/home'
import { Icon } from '../../ui/icons.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { progressOf } from './checklist-steps.ts'

/** Gone once everything is done. */
export function Checklist({ checklist }: { checklist: Steps }) {
  const { steps, done, isComplete } = progressOf(checklist)
  if (isComplete) return null
  return (
    <Panel
      title="Get started"
      actions={
        <Text size="sm" c="dimmed">
          {done} of {steps.length} done
        </Text>
      }
    >
      <Progress value={(done / steps.length) * 100} size="sm" mb="md" aria-label="Steps done" />
      <ol className="steps">
        {steps.map((step) => (
          <li key={step.key} className="step" data-done={step.done} data-next={step.isNext}>
            <span className="step-tick">{step.done ? <Icon name="check" size={16} /> : null}</span>
            <div className="step-words">
              <Text fw={600}>
                {step.title}
                {step.done && <span className="dimmed"> · done</span>}
              </Text>
              {!step.done && (
                <Text size="sm" c="dimmed">
                  {step.text}
                </Text>
              )}
            </div>
            {!step.done && (
              <LinkButton to={step.to} size="xs" variant={step.isNext ? 'filled' : 'default'}>
                {step.action}
              </LinkButton>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  )
}
