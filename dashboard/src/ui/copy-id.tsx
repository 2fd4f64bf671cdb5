import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { Icon } from './icons.tsx'

/** Every id is a copy button; where the browser gives no clipboard (plain http), it is text to select. */
export function CopyId({ id, label }: { id: string; label: string }) {
  const { copy, copied } = useClipboard({ timeout: 2000 })
  if (!navigator.clipboard) return <code className="copy-id-text">{id}</code>
  return (
    <>
      <UnstyledButton className="copy-id" aria-label={`Copy ${label} ${id}`} title="Copy" onClick={() => copy(id)}>
        <code className="copy-id-text">{id}</code>
        <Icon name={copied ? 'check' : 'copy'} size={15} />
      </UnstyledButton>
      <VisuallyHidden role="status">{copied ? 'Copied' : ''}</VisuallyHidden>
    </>
  )
}
