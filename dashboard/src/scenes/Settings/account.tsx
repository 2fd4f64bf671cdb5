import { Text } from '@mantine/core'
import { useSignedIn } from '../../session.ts'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PasswordForm } from './password-form.tsx'
import { roleWords } from './role-words.ts'
import { Sessions } from './sessions.tsx'

export function AccountSettings() {
  const { user, organisation } = useSignedIn()
  return (
    <>
      <Panel title="Your account">
        <Facts>
          <Fact name="E-mail">{user.email}</Fact>
          <Fact name="Role">{roleWords[user.role].label}</Fact>
          <Fact name="Organisation">{organisation.name}</Fact>
        </Facts>
      </Panel>
      <PasswordForm />
      <Sessions />
      <Text size="sm" c="dimmed">
        A session lasts twelve hours. Its cookie cannot be read by scripts or sent along by other sites, and we keep
        only its hash.
      </Text>
    </>
  )
}
