import { Text } from '@mantine/core'
import { useMay } from '../session.ts'

/** Why somebody finds no buttons here. */
export function ManagersOnly({ what }: { what: string }) {
  if (useMay('manage')) return null
  return (
    <Text size="sm" c="dimmed">
      Only owners and admins can {what}. Ask one of them if you need to.
    </Text>
  )
}
