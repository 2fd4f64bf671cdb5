import { Alert, PasswordInput, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useSignIn } from '../../session.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Icon } from '../../ui/icons.tsx'
import { checkCredentials, explainRefusal, firstProblem, type Refusal, readCredentials } from './credentials.ts'

const nothing: Refusal = { fields: {} }

interface SignInFormProps {
  /** Said to someone who was signed in a moment ago; they arrive there, everyone else in the first field. */
  goodbye: string | undefined
}

export function SignInForm({ goodbye }: SignInFormProps) {
  const entering = useSignIn()
  const [refusal, setRefusal] = useState(nothing)
  const [shown, setShown] = useState(false)
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const note = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (!goodbye) email.current?.focus()
  }, [goodbye])

  // After the words are on the page: to the first faulty field, else to what is said about the whole.
  useEffect(() => {
    const fields = { email, password }
    const first = firstProblem(refusal.fields)
    if (first) fields[first].current?.focus()
    else if (refusal.notice) note.current?.focus()
  }, [refusal])

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (entering.isPending) return
    // Read from the form itself: password managers may fill it without telling React.
    const credentials = readCredentials(new FormData(event.currentTarget))
    const fields = checkCredentials(credentials)
    setRefusal({ fields })
    if (firstProblem(fields)) return
    entering.mutate(credentials, { onError: (failure) => setRefusal(explainRefusal(failure)) })
  }

  return (
    <form method="post" noValidate onSubmit={submit} aria-label="Sign in">
      <Stack gap="md">
        {refusal.notice && <FailureNote ref={note} explanation={refusal.notice} />}
        {goodbye && !refusal.notice && (
          <Alert role="note" tabIndex={-1} data-arrival icon={<Icon name="info" />}>
            {goodbye}
          </Alert>
        )}
        <TextInput
          ref={email}
          name="email"
          type="email"
          label="E-mail"
          size="md"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          aria-required
          error={refusal.fields.email}
        />
        <PasswordInput
          ref={password}
          name="password"
          label="Password"
          size="md"
          autoComplete="current-password"
          aria-required
          error={refusal.fields.password}
          visible={shown}
          onVisibilityChange={setShown}
          visibilityToggleFocusable
          visibilityToggleIcon={({ reveal }) => <Icon name={reveal ? 'eye-off' : 'eye'} />}
          visibilityToggleButtonProps={{ 'aria-label': shown ? 'Hide password' : 'Show password' }}
        />
        <BusyButton type="submit" size="md" mt="xs" fullWidth busy={entering.isPending} busyWords="Signing in…">
          Sign in
        </BusyButton>
      </Stack>
    </form>
  )
}
