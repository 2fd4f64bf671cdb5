import { Button } from '@mantine/core'
import type { Call } from '@parley/contract/calls'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../session.ts'
import { Icon } from '../../ui/icons.tsx'
import { isPending } from '../Calls/call-words.ts'
import { CancelCalls } from '../Calls/cancel-calls.tsx'
import { ShareLink } from './share-link.tsx'

/** Erasing outlives the call, so its dialogue is the page's. */
export function CallActions({ call, onErase }: { call: Call; onErase: () => void }) {
  const [open, setOpen] = useState<'cancel' | 'share' | null>(null)
  const mayWork = useMay('work')
  const mayManage = useMay('manage')
  const close = () => setOpen(null)
  const callId = call.call_id
  return (
    <>
      {mayWork && isPending(call.status) && (
        <Button variant="default" leftSection={<Icon name="close" size={16} />} onClick={() => setOpen('cancel')}>
          Cancel
        </Button>
      )}
      {mayWork && call.call_direction === 'outbound' && (
        <Button
          variant="default"
          leftSection={<Icon name="phone" size={16} />}
          renderRoot={(props) => <Link to="/calls/new" search={{ again: callId }} {...props} />}
        >
          Call again
        </Button>
      )}
      <Button variant="default" leftSection={<Icon name="share" size={16} />} onClick={() => setOpen('share')}>
        Share
      </Button>
      {mayManage && call.status === 'completed' && (
        <Button variant="default" leftSection={<Icon name="trash" size={16} />} onClick={onErase}>
          Erase
        </Button>
      )}
      {open === 'cancel' && <CancelCalls callIds={[callId]} onClose={close} />}
      {open === 'share' && <ShareLink callId={callId} onClose={close} />}
    </>
  )
}
