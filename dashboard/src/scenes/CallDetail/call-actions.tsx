import { Button } from '@mantine/core'
import type { Call } from '@parley/contract/calls'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../session.ts'
import { Icon } from '../../ui/icons.tsx'
import { isPending, whoText } from '../Calls/call-words.ts'
import { CancelCalls } from '../Calls/cancel-calls.tsx'
import { EraseCall } from '../Calls/erase-call.tsx'
import { ShareLink } from './share-link.tsx'

export function CallActions({ call }: { call: Call }) {
  const [open, setOpen] = useState<'cancel' | 'share' | 'erase' | null>(null)
  const navigate = useNavigate()
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
        <Button variant="default" leftSection={<Icon name="trash" size={16} />} onClick={() => setOpen('erase')}>
          Erase
        </Button>
      )}
      {open === 'cancel' && <CancelCalls callIds={[callId]} onClose={close} />}
      {open === 'share' && <ShareLink callId={callId} onClose={close} />}
      {open === 'erase' && (
        <EraseCall
          callId={callId}
          who={whoText(call)}
          onClose={close}
          onErased={() => void navigate({ to: '/calls' })}
        />
      )}
    </>
  )
}
