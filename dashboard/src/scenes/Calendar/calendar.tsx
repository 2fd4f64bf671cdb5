import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { NeedBranch } from '../../calendar/need-branch.tsx'
import { useBranches } from '../../calendar/queries.ts'
import { useMay } from '../../session.ts'
import { Icon } from '../../ui/icons.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { useFilters } from '../../use-filters.ts'
import '../Appointments/appointments.css'
import { BranchWeek } from './branch-week.tsx'
import './calendar.css'
import type { CalendarDialog } from './dialogs.ts'

export function Calendar() {
  const { filters } = useFilters()
  const branches = useBranches()
  const mayWork = useMay('work')
  const [dialog, setDialog] = useState<CalendarDialog | null>(null)
  const all = branches.data ?? []
  const branch = all.find((each) => each.branch_id === filters.branch) ?? all[0]
  const item = (what: CalendarDialog, words: string) => <Menu.Item onClick={() => setDialog(what)}>{words}</Menu.Item>
  return (
    <Page
      title="Calendar"
      lead="Weekly windows, and what became of them on each date."
      actions={
        branch && (
          <>
            <Menu position="bottom-end" withinPortal>
              <Menu.Target>
                <Button variant="default" rightSection={<Icon name="more" size={16} />}>
                  More
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {mayWork && item('copy', 'Copy a day to others…')}
                {mayWork && item('regenerate', 'Bring dates in line with the rules…')}
                {item('feed', 'Calendar feed…')}
              </Menu.Dropdown>
            </Menu>
            {mayWork && (
              <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setDialog('window')}>
                Add window
              </Button>
            )}
          </>
        )
      }
    >
      <Loaded query={branches}>
        {(found) =>
          branch === undefined ? (
            <NeedBranch />
          ) : (
            <BranchWeek key={branch.branch_id} branch={branch} branches={found} dialog={dialog} onDialog={setDialog} />
          )
        }
      </Loaded>
    </Page>
  )
}
