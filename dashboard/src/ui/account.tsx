import { Menu, Text, UnstyledButton } from '@mantine/core'
import { explain } from '../explain.ts'
import { useSignedIn, useSignOut } from '../session.ts'
import { Icon } from './icons.tsx'
import { SchemeToggle } from './scheme-toggle.tsx'
import { toast } from './toast.ts'

export function Account() {
  const { user, organisation } = useSignedIn()
  const leaving = useSignOut()
  const leave = () =>
    leaving.mutate(undefined, { onError: (failure) => toast(`You are still signed in. ${explain(failure).text}`) })
  return (
    <Menu position="bottom-end" width={260} withinPortal>
      <Menu.Target>
        <UnstyledButton className="account" aria-label="Your account">
          <Icon name="person" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className="account-who">
          <Text fw={600}>{organisation.name}</Text>
          <Text size="sm" c="dimmed">
            {user.email} · {user.role}
          </Text>
        </div>
        <div className="account-scheme">
          <SchemeToggle />
        </div>
        <Menu.Divider />
        <Menu.Item component="a" href="/settings">
          Settings
        </Menu.Item>
        <Menu.Item onClick={leave}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
