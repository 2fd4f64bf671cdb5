import { PasswordInput, Stack } from '@mantine/core'
import { passwordLength } from '@parley/contract/team'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { write } from '../../api.ts'
import { explain } from '../../explain.ts'
import { faultsOf, hasOtherFaults } from '../../form-faults.ts'
import { useSignedIn } from '../../session.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toast } from '../../ui/toast.ts'
import { counted } from '../Home/call-words.ts'

export function PasswordForm() {
  const client = useQueryClient()
  const { user } = useSignedIn()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const changing = useMutation({
    mutationFn: () =>
      write<{ ended_sessions: number }>('POST', '/api/account/password', {
        current_password: current,
        new_password: next,
      }),
    onSuccess: async ({ ended_sessions }) => {
      setCurrent('')
      setNext('')
      toast(
        ended_sessions === 0
          ? 'Your password is changed.'
          : `Your password is changed, and ${counted(ended_sessions, 'other session')} ended.`,
      )
      await client.invalidateQueries({ queryKey: ['account'] })
    },
  })
  const faults = faultsOf(changing.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!changing.isPending) changing.mutate()
  }
  return (
    <Panel title="Password">
      <form onSubmit={submit} noValidate aria-label="Change your password">
        <Stack gap="md" maw={420}>
          {hasOtherFaults(changing.error, ['current_password', 'new_password']) && (
            <FailureNote explanation={explain(changing.error)} />
          )}
          {/* For password managers: whose password this is. */}
          <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
          <PasswordInput
            label="Present password"
            autoComplete="current-password"
            value={current}
            error={faults.current_password}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
          <PasswordInput
            label="New password"
            description={`At least ${passwordLength.least} characters. A long sentence is better than odd signs.`}
            autoComplete="new-password"
            value={next}
            error={faults.new_password}
            onChange={(event) => setNext(event.currentTarget.value)}
          />
          <div>
            <BusyButton type="submit" busy={changing.isPending} busyWords="Changing…">
              Change the password
            </BusyButton>
          </div>
        </Stack>
      </form>
    </Panel>
  )
}
