import { Alert, NativeSelect, Text } from '@mantine/core'
import type { Agent } from '@parley/contract/agents'
import { Link } from '@tanstack/react-router'
import { Icon } from '../../ui/icons.tsx'
import { numberText } from '../Calls/call-words.ts'

export const canCall = ({ type, number }: Agent): boolean => type === 'outbound' && number !== null

interface AgentSelectProps {
  agents: readonly Agent[]
  value: string
  fault: string | undefined
  onChange: (agentId: string) => void
}

/** Agents that cannot call are shown, too, with the reason. */
export function AgentSelect({ agents, value, fault, onChange }: AgentSelectProps) {
  if (!agents.some(canCall)) {
    return (
      <Alert color="yellow" icon={<Icon name="alert" />} title="No agent can place calls yet">
        <Text size="sm">
          A call needs an outbound agent with a phone number. <Link to="/agents">Set one up</Link>
        </Text>
      </Alert>
    )
  }
  return (
    <NativeSelect
      label="Agent"
      description="Who calls, and from which number."
      value={value}
      error={fault}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        { value: '', label: 'Choose an agent' },
        ...agents.map((agent) => ({
          value: agent.agent_id,
          label: `${agent.name} · ${agent.type === 'inbound' ? 'takes calls only' : agent.number ? numberText(agent.number) : 'has no number'}`,
          disabled: !canCall(agent),
        })),
      ]}
    />
  )
}
