import { Anchor, Button, Group, Text } from '@mantine/core'
import { sessions } from '@parley/contract/appointment-slots'
import type { HolidaySettings } from '@parley/contract/branch-settings'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { write } from '../../api.ts'
import { spanText, todayIn } from '../../calendar/dates.ts'
import { refreshCalendar, useBranches, useHolidays } from '../../calendar/queries.ts'
import { curlOf } from '../../curl.ts'
import { explain } from '../../explain.ts'
import { useMay, useSignedIn } from '../../session.ts'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.ts'
import { toastWithUndo } from '../../ui/undo-toast.tsx'
import { HolidayForm } from './holiday-form.tsx'
import { HolidayPack } from './holiday-pack.tsx'
import './places.css'

const hoursText = (hours: NonNullable<HolidaySettings['hours']>): string =>
  sessions.flatMap((each) => (hours[each] ? [`${each} ${hours[each].start}–${hours[each].end}`] : [])).join(', ')

export function HolidaysSettings() {
  const holidays = useHolidays()
  const branches = useBranches()
  const mayManage = useMay('manage')
  const { organisation } = useSignedIn()
  const [open, setOpen] = useState<'one' | 'pack' | null>(null)
  const [withPast, setWithPast] = useState(false)
  const today = todayIn(organisation.timezone, new Date())
  const all = branches.data ?? []
  const canAdd = mayManage && all.length > 0
  const columns = useColumns(new Map(all.map((each) => [each.branch_id, each.name])), mayManage)
  return (
    <Panel
      title="Holidays"
      actions={
        canAdd && (
          <Group gap="xs">
            <Button variant="default" onClick={() => setOpen('pack')}>
              Public holidays…
            </Button>
            <Button onClick={() => setOpen('one')}>Add a holiday</Button>
          </Group>
        )
      }
    >
      <Text size="sm" c="dimmed" mb="sm">
        Days on which a branch is closed or has other hours. Three weeks are one entry. What is booked stays booked, and
        is shown here. A date opened in the calendar stays open.
        {!mayManage && ' Owners and admins can change them.'}
      </Text>
      <Loaded query={holidays}>
        {(found) => {
          const coming = found.filter((each) => each.end_date >= today)
          const past = found.length - coming.length
          const shown = withPast ? found : coming
          return (
            <>
              {shown.length === 0 ? (
                <Empty
                  title="No holidays ahead"
                  text={all.length === 0 ? 'Add a branch first.' : 'The branches are open whenever their windows are.'}
                  action={canAdd && <Button onClick={() => setOpen('one')}>Add a holiday</Button>}
                  curl={curlOf({ method: 'GET', path: '/v1/appointments/branches' })}
                />
              ) : (
                <Table label="Holidays" columns={columns} rows={shown} keyOf={(each) => each.holiday_id} />
              )}
              {past > 0 && (
                <Button mt="sm" size="xs" variant="default" onClick={() => setWithPast(!withPast)}>
                  {withPast ? 'Hide past ones' : `Show ${past} past`}
                </Button>
              )}
            </>
          )
        }}
      </Loaded>
      {open === 'one' && <HolidayForm branches={all} onClose={() => setOpen(null)} />}
      {open === 'pack' && <HolidayPack branches={all} today={today} onClose={() => setOpen(null)} />}
    </Panel>
  )
}

const bookedIn = ({ branch_id, start_date, end_date }: HolidaySettings) => ({
  view: 'list',
  status: 'confirmed',
  branch: branch_id,
  from: start_date,
  to: end_date,
})

function useColumns(names: ReadonlyMap<string, string>, mayManage: boolean): Column<HolidaySettings>[] {
  const remove = useRemoveHoliday()
  return [
    { label: 'Days', cell: (each) => <b>{spanText(each.start_date, each.end_date)}</b> },
    { label: 'Branch', cell: (each) => names.get(each.branch_id) ?? '…' },
    { label: 'Reason', cell: (each) => each.reason ?? '–' },
    { label: 'What', cell: (each) => (each.hours ? hoursText(each.hours) : 'Closed') },
    {
      label: 'Booked',
      cell: (each) =>
        each.booked === 0 ? (
          'Nobody'
        ) : (
          <Anchor size="sm" renderRoot={(props) => <Link to="/appointments" search={bookedIn(each)} {...props} />}>
            {each.booked} booked
          </Anchor>
        ),
    },
    ...(mayManage
      ? [
          {
            label: 'Actions',
            align: 'end' as const,
            cell: (each: HolidaySettings) => (
              <Button size="compact-sm" variant="default" onClick={() => remove.mutate(each)}>
                Remove<span className="hidden-words"> {spanText(each.start_date, each.end_date)}</span>
              </Button>
            ),
          },
        ]
      : []),
  ]
}

/** At once, and to be taken back: nothing is lost that cannot be entered again. */
function useRemoveHoliday() {
  const client = useQueryClient()
  const refused = (failure: unknown) => toast(explain(failure).text)
  return useMutation({
    mutationFn: (holiday: HolidaySettings) => write('DELETE', `/api/holidays/${holiday.holiday_id}`),
    onError: refused,
    onSuccess: async (_, { branch_id, start_date, end_date, reason, hours }) => {
      await refreshCalendar(client)
      const body = { branch_ids: [branch_id], entries: [{ start_date, end_date, reason, hours }] }
      toastWithUndo(`${spanText(start_date, end_date)} is removed`, () =>
        write('POST', '/api/holidays', body).then(() => refreshCalendar(client), refused),
      )
    },
  })
}
