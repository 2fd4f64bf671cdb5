import { Button, Group, Text } from '@mantine/core'
import type { BranchSettings, FeedAnswer } from '@parley/contract/branch-settings'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { read, write } from '../../api.ts'
import { explain } from '../../explain.ts'
import { useMay } from '../../session.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'
import { toast } from '../../ui/toast.ts'
import { When } from '../../ui/when.tsx'

type Feed = FeedAnswer['data']

/** The secret address under which Google Calendar or Outlook read the branch: made, renewed, ended. */
export function BranchFeed({ branch, onClose }: { branch: BranchSettings; onClose: () => void }) {
  const client = useQueryClient()
  const mayManage = useMay('manage')
  const path = `/api/branches/${branch.branch_id}/feed`
  const key = ['slots', 'feed', branch.branch_id]
  const feed = useQuery({ queryKey: key, queryFn: ({ signal }) => read<Feed>(path, {}, signal) })
  const [url, setUrl] = useState<string | null>(null)
  const change = useMutation({
    mutationFn: (what: 'open' | 'renew' | 'end') =>
      what === 'end' ? write<Feed>('DELETE', path) : write<Feed>('POST', path, { renew: what === 'renew' }),
    onSuccess: async (answer, what) => {
      setUrl(answer.url)
      await client.invalidateQueries({ queryKey: key })
      if (what === 'end') toast('The address no longer works')
    },
  })
  const button = (what: 'open' | 'renew' | 'end', words: string) => (
    <BusyButton
      variant={what === 'open' ? 'filled' : 'default'}
      busy={change.isPending && change.variables === what}
      busyWords="One moment…"
      onClick={() => change.mutate(what)}
    >
      {words}
    </BusyButton>
  )
  return (
    <Dialog onClose={onClose} size="lg" title={`Calendar feed of ${branch.name}`}>
      <div className="stack">
        <Text size="sm">
          Google Calendar (Other calendars → From URL) and Outlook (Subscribe from web) can show this branch’s
          appointments. Whoever has the address can read them, with names and notes, without signing in.
        </Text>
        <Loaded query={feed} rows={1}>
          {({ since }) => (
            <>
              {url && <SecretOnce name="feed address" secret={url} />}
              <Text size="sm">
                {since ? (
                  <>
                    There is an address since <When at={since} />.
                  </>
                ) : (
                  'There is no address yet.'
                )}
              </Text>
              {change.error && <FailureNote explanation={explain(change.error)} />}
              {mayManage ? (
                <Group>
                  {since === null && button('open', 'Make an address')}
                  {since !== null && button('renew', 'Make a new one, end the old')}
                  {since !== null && button('end', 'End it')}
                </Group>
              ) : (
                <Text size="sm" c="dimmed">
                  Owners and admins can make or end it.
                </Text>
              )}
            </>
          )}
        </Loaded>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
      </div>
    </Dialog>
  )
}
