import { Button, NativeSelect, Text } from '@mantine/core'
import type { Role } from '@parley/contract/common'
import type { Member } from '@parley/contract/team'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { read, write } from '../../api.ts'
import { explain } from '../../explain.ts'
import { useMay, useSignedIn } from '../../session.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.ts'
import { When } from '../../ui/when.tsx'
import { Invitations } from './invitations.tsx'
import { mayTouch, rolesFor, roleWords } from './role-words.ts'

const key = ['team', 'members']

function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const client = useQueryClient()
  const removing = useMutation({
    mutationFn: () => write('DELETE', `/api/team/members/${member.user_id}`),
    onSuccess: async () => {
      // Whoever removes themselves is signed out with it.
      await Promise.all([
        client.invalidateQueries({ queryKey: key }),
        client.invalidateQueries({ queryKey: ['session'] }),
      ])
      toast(`${member.email} is no member any more.`)
      onClose()
    },
  })
  return (
    <Confirm
      title={`Remove ${member.email}?`}
      doIt="Remove"
      doing="Removing…"
      failure={removing.error}
      busy={removing.isPending}
      onConfirm={() => removing.mutate()}
      onClose={onClose}
    >
      They are signed out everywhere at once. What they did stays in the audit log.
    </Confirm>
  )
}

function Members({ members }: { members: Member[] }) {
  const client = useQueryClient()
  const { user } = useSignedIn()
  const [leaving, setLeaving] = useState<Member | null>(null)
  const changing = useMutation({
    mutationFn: ({ userId, role }: { userId: string; role: Role }) =>
      write<Member>('PATCH', `/api/team/members/${userId}`, { role }),
    onSuccess: (member) => toast(`${member.email} is ${roleWords[member.role].label.toLowerCase()} now.`),
    onSettled: () =>
      Promise.all([client.invalidateQueries({ queryKey: key }), client.invalidateQueries({ queryKey: ['session'] })]),
  })
  const columns: Column<Member>[] = [
    { label: 'Member', cell: (member) => `${member.email}${member.user_id === user.user_id ? ' (you)' : ''}` },
    {
      label: 'Role',
      cell: (member) =>
        mayTouch(user.role, member.role) ? (
          <NativeSelect
            size="xs"
            aria-label={`Role of ${member.email}`}
            value={member.role}
            disabled={changing.isPending}
            data={rolesFor(user.role).map((role) => ({ value: role, label: roleWords[role].label }))}
            onChange={(event) => changing.mutate({ userId: member.user_id, role: event.currentTarget.value as Role })}
          />
        ) : (
          roleWords[member.role].label
        ),
    },
    { label: 'Last seen', cell: (member) => <When at={member.last_seen_at} /> },
    ...(user.role === 'owner' || user.role === 'admin'
      ? [
          {
            label: 'Remove',
            align: 'end' as const,
            cell: (member: Member) =>
              mayTouch(user.role, member.role) && (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Remove ${member.email}`}
                  onClick={() => setLeaving(member)}
                >
                  Remove
                </Button>
              ),
          },
        ]
      : []),
  ]
  return (
    <>
      {changing.error && <FailureNote explanation={explain(changing.error)} />}
      <Table label="Members" columns={columns} rows={members} keyOf={(member) => member.user_id} />
      {leaving && <RemoveMember member={leaving} onClose={() => setLeaving(null)} />}
    </>
  )
}

export function TeamSettings() {
  const mayManage = useMay('manage')
  const members = useQuery({ queryKey: key, queryFn: ({ signal }) => read<Member[]>('/api/team/members', {}, signal) })
  return (
    <>
      <Panel title="Team">
        <Loaded query={members}>{(list) => <Members members={list} />}</Loaded>
        {!mayManage && (
          <Text size="sm" c="dimmed" mt="sm">
            Owners and admins invite and remove people.
          </Text>
        )}
      </Panel>
      {mayManage && <Invitations />}
      <Panel title="What each role may do">
        <dl className="facts">
          {Object.entries(roleWords).map(([role, { label, text }]) => (
            <div key={role} className="fact">
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </Panel>
    </>
  )
}
