import { Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import type { Role } from '@parley/contract/common'
import type { CreatedInvitation, Invitation } from '@parley/contract/team'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { read, write } from '../../api.ts'
import { explain } from '../../explain.ts'
import { faultsOf, hasOtherFaults } from '../../form-faults.ts'
import { useSignedIn } from '../../session.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.ts'
import { When } from '../../ui/when.tsx'
import { mayTouch, rolesFor, roleWords } from './role-words.ts'

const key = ['team', 'invitations']

function InviteForm() {
  const client = useQueryClient()
  const { user } = useSignedIn()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('staff')
  const inviting = useMutation({
    mutationFn: () => write<CreatedInvitation>('POST', '/api/team/invitations', { email: email.trim(), role }),
    onSuccess: async () => {
      setEmail('')
      await client.invalidateQueries({ queryKey: key })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!inviting.isPending) inviting.mutate()
  }
  const faults = faultsOf(inviting.error)
  return (
    <Stack gap="md">
      <form onSubmit={submit} noValidate aria-label="Invite somebody" className="invite">
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="off"
          value={email}
          error={faults.email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <NativeSelect
          label="Role"
          value={role}
          data={rolesFor(user.role).map((each) => ({ value: each, label: roleWords[each].label }))}
          onChange={(event) => setRole(event.currentTarget.value as Role)}
        />
        <BusyButton type="submit" busy={inviting.isPending} busyWords="Inviting…">
          Make a link
        </BusyButton>
      </form>
      {hasOtherFaults(inviting.error, ['email']) && <FailureNote explanation={explain(inviting.error)} />}
      {inviting.data && (
        <>
          <SecretOnce name="invitation link" secret={inviting.data.url} />
          <Text size="sm">
            Send it to {inviting.data.email} yourself: Parley sends no mail. It works once, for seven days.
          </Text>
        </>
      )}
    </Stack>
  )
}

export function Invitations() {
  const client = useQueryClient()
  const { user } = useSignedIn()
  const waiting = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => read<Invitation[]>('/api/team/invitations', {}, signal),
  })
  const revoking = useMutation({
    mutationFn: (id: string) => write('DELETE', `/api/team/invitations/${id}`),
    onSuccess: () => toast('The link opens nothing any more.'),
    onError: (failure) => toast(explain(failure).text),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  })
  const columns: Column<Invitation>[] = [
    { label: 'Invited', cell: ({ email }) => email },
    { label: 'As', cell: ({ role }) => roleWords[role].label },
    { label: 'Open until', cell: ({ expires_at }) => <When at={expires_at} /> },
    {
      label: 'Take back',
      align: 'end',
      cell: ({ email, role, invitation_id }) =>
        mayTouch(user.role, role) && (
          <Button
            size="xs"
            variant="default"
            aria-label={`Take back the invitation of ${email}`}
            onClick={() => revoking.mutate(invitation_id)}
          >
            Take back
          </Button>
        ),
    },
  ]
  return (
    <Panel title="Invite somebody">
      <InviteForm />
      <Loaded query={waiting} rows={1}>
        {(list) =>
          list.length > 0 && (
            <div className="spaced">
              <Table label="Invitations waiting" columns={columns} rows={list} keyOf={(each) => each.invitation_id} />
            </div>
          )
        }
      </Loaded>
    </Panel>
  )
}
