import { Button, Group, Text } from '@mantine/core'
import { sessions } from '@parley/contract/appointment-slots'
import type { BranchSettings } from '@parley/contract/branch-settings'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useBranches } from '../../calendar/queries.ts'
import { curlOf } from '../../curl.ts'
import { useMay } from '../../session.ts'
import { CopyId } from '../../ui/copy-id.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { BranchFeed } from '../Calendar/branch-feed.tsx'
import { BranchForm } from './branch-form.tsx'
import './places.css'
import { RemoveThing } from './remove-thing.tsx'
import { usageText } from './usage.ts'

type Open = { what: 'edit' | 'feed' | 'remove'; branch: BranchSettings } | { what: 'new' } | null

export function BranchesSettings() {
  const branches = useBranches()
  const mayManage = useMay('manage')
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const add = <Button onClick={() => setOpen({ what: 'new' })}>Add a branch</Button>
  return (
    <>
      <Panel title="Branches" actions={mayManage && add}>
        <Text size="sm" c="dimmed">
          Where people come to. Each has its own time zone and hours; windows, appointments and holidays belong to it.
          {!mayManage && ' Owners and admins can change them.'}
        </Text>
      </Panel>
      <Loaded query={branches}>
        {(all) =>
          all.length === 0 ? (
            <Empty
              title="No branches yet"
              text="Add the first one to offer appointments."
              action={mayManage && add}
              curl={curlOf({ method: 'GET', path: '/v1/appointments/branches' })}
            />
          ) : (
            all.map((branch) => (
              <BranchPanel key={branch.branch_id} branch={branch} mayManage={mayManage} onOpen={setOpen} />
            ))
          )
        }
      </Loaded>
      {open?.what === 'new' && <BranchForm onClose={close} />}
      {open?.what === 'edit' && <BranchForm branch={open.branch} onClose={close} />}
      {open?.what === 'feed' && <BranchFeed branch={open.branch} onClose={close} />}
      {open?.what === 'remove' && (
        <RemoveThing
          title={`Delete ${open.branch.name}?`}
          path={`/api/branches/${open.branch.branch_id}`}
          done={`${open.branch.name} is deleted`}
          onClose={close}
        >
          Its holidays and its calendar feed go with it. This cannot be undone.
        </RemoveThing>
      )}
    </>
  )
}

interface BranchPanelProps {
  branch: BranchSettings
  mayManage: boolean
  onOpen: (open: Open) => void
}

function BranchPanel({ branch, mayManage, onOpen }: BranchPanelProps) {
  const uses = usageText({ window: branch.windows, agent: branch.agents, service: branch.services })
  return (
    <Panel title={branch.name}>
      <Facts>
        <Fact name="Time zone">{branch.timezone}</Fact>
        {sessions.map((each) => (
          <Fact key={each} name={each}>
            {branch.session_hours[each].start}–{branch.session_hours[each].end}
          </Fact>
        ))}
        <Fact name="In use by">{uses || 'Nothing yet'}</Fact>
        <Fact name="Branch ID">
          <CopyId id={branch.branch_id} label="branch ID" />
        </Fact>
      </Facts>
      <Group mt="sm" gap="xs">
        <Button
          size="xs"
          variant="default"
          renderRoot={(props) => <Link to="/calendar" search={{ branch: branch.branch_id }} {...props} />}
        >
          Calendar
        </Button>
        <Button size="xs" variant="default" onClick={() => onOpen({ what: 'feed', branch })}>
          Calendar feed
        </Button>
        {mayManage && (
          <>
            <Button size="xs" variant="default" onClick={() => onOpen({ what: 'edit', branch })}>
              Edit {branch.name}
            </Button>
            <Button
              size="xs"
              variant="subtle"
              color="red"
              disabled={uses !== ''}
              leftSection={<Icon name="trash" size={14} />}
              onClick={() => onOpen({ what: 'remove', branch })}
            >
              Delete {branch.name}
            </Button>
          </>
        )}
      </Group>
      {mayManage && uses !== '' && (
        <Text size="xs" c="dimmed" mt={6}>
          It cannot be deleted while {uses} refer to it.
        </Text>
      )}
    </Panel>
  )
}
