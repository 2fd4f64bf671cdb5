import { Alert, PasswordInput, Stack, Text, Title } from '@mantine/core'
import type { SessionAnswer } from '@parley/contract/session'
import { type OpenInvitation, passwordLength } from '@parley/contract/team'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { write } from '../../api.ts'
import { explain } from '../../explain.ts'
import { faultsOf, hasOtherFaults } from '../../form-faults.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Logo } from '../../ui/logo.tsx'
import { SchemeToggle } from '../../ui/scheme-toggle.tsx'
import { roleWords } from '../Settings/role-words.ts'
import '../SignIn/sign-in.css'

function Accept({ token, invitation }: { token: string; invitation: OpenInvitation }) {
  const [password, setPassword] = useState('')
  const accepting = useMutation({
    mutationFn: () => write<SessionAnswer['data']>('POST', '/api/invitations/accept', { token, password }),
    // Begins anew as the new member; whoever was signed in here before is not any more, and the link is not kept.
    onSuccess: () => window.location.replace('/'),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!accepting.isPending && !accepting.isSuccess) accepting.mutate()
  }
  return (
    <form onSubmit={submit} noValidate aria-label="Accept the invitation">
      <Stack gap="md">
        <Text>
          You are invited to <strong>{invitation.organisation_name}</strong> as{' '}
          {roleWords[invitation.role].label.toLowerCase()}. {roleWords[invitation.role].text}
        </Text>
        {hasOtherFaults(accepting.error, ['password']) && <FailureNote explanation={explain(accepting.error)} />}
        <Text size="sm" c="dimmed">
          You will sign in as {invitation.email}.
        </Text>
        <input type="hidden" name="username" autoComplete="username" value={invitation.email} readOnly />
        <PasswordInput
          label="Choose a password"
          description={`At least ${passwordLength.least} characters.`}
          size="md"
          autoComplete="new-password"
          value={password}
          error={faultsOf(accepting.error).password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <BusyButton
          type="submit"
          size="md"
          fullWidth
          busy={accepting.isPending || accepting.isSuccess}
          busyWords="Joining…"
        >
          Join {invitation.organisation_name}
        </BusyButton>
      </Stack>
    </form>
  )
}

interface InvitationProps {
  token: string
  /** Who is signed in in this browser already. */
  signedInAs: string | null
}

/** Outside the shell: whoever comes here is nobody yet. */
export function Invitation({ token, signedInAs }: InvitationProps) {
  const found = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => write<OpenInvitation>('POST', '/api/invitations/look-up', { token }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <main className="sign-in-main invitation">
      <div className="sign-in-top">
        <Logo />
        <SchemeToggle />
      </div>
      <div className="sign-in-box">
        <Title order={1} size="h2" mb="lg">
          Join your team
        </Title>
        {signedInAs !== null && (
          <Alert role="note" mb="md" icon={<Icon name="info" />}>
            You are signed in as {signedInAs}. Joining signs you in as the new member instead.
          </Alert>
        )}
        <Loaded query={found}>{(invitation) => <Accept token={token} invitation={invitation} />}</Loaded>
      </div>
    </main>
  )
}
