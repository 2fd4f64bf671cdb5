import { ActionIcon, Menu } from '@mantine/core'
import type { CallLine } from '@parley/contract/dashboard-calls'
import { useNavigate } from '@tanstack/react-router'
import { useMay } from '../../session.ts'
import { Icon } from '../../ui/icons.tsx'
import { isPending, whoText } from './call-words.ts'

interface RowActionsProps {
  call: CallLine
  onCancel: () => void
  onErase: () => void
}

export function RowActions({ call, onCancel, onErase }: RowActionsProps) {
  const navigate = useNavigate()
  const mayWork = useMay('work')
  const mayManage = useMay('manage')
  const callId = call.call_id
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`What to do with the call with ${whoText(call)}`}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<Icon name="arrow" size={16} />}
          onClick={() => void navigate({ to: '/calls/$callId', params: { callId } })}
        >
          Open
        </Menu.Item>
        {mayWork && call.call_direction === 'outbound' && (
          <Menu.Item
            leftSection={<Icon name="phone" size={16} />}
            onClick={() => void navigate({ to: '/calls/new', search: { again: callId } })}
          >
            Call again
          </Menu.Item>
        )}
        {mayWork && isPending(call.status) && (
          <Menu.Item leftSection={<Icon name="close" size={16} />} onClick={onCancel}>
            Cancel the call
          </Menu.Item>
        )}
        {mayManage && call.status === 'completed' && (
          <Menu.Item leftSection={<Icon name="trash" size={16} />} onClick={onErase}>
            Erase personal data
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
