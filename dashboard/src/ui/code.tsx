import { ActionIcon, VisuallyHidden } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { Icon } from './icons.tsx'

/** Text of programs, to read and to copy. Long lines scroll inside, by keyboard too. Whatever it holds is shown as text. */
export function Code({ text, label }: { text: string; label: string }) {
  const { copy, copied } = useClipboard({ timeout: 2000 })
  return (
    <div className="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
      {navigator.clipboard && (
        <ActionIcon variant="default" className="code-copy" aria-label={`Copy ${label}`} onClick={() => copy(text)}>
          <Icon name={copied ? 'check' : 'copy'} size={16} />
        </ActionIcon>
      )}
      <VisuallyHidden role="status">{copied ? 'Copied' : ''}</VisuallyHidden>
    </div>
  )
}
