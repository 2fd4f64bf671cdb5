import { Text } from '@mantine/core'
import type { BranchSettings } from '@parley/contract/branch-settings'
import { nextDates, shortDay, todayIn } from '../../calendar/dates.ts'
import type { WindowDraft } from './window-draft.ts'

/** The next four dates that a rule touches. */
export function NextDates({ draft, branch }: { draft: WindowDraft; branch: BranchSettings }) {
  const today = todayIn(branch.timezone, new Date())
  const dates = draft.days
    .flatMap((day) => nextDates(day, today, 4))
    .toSorted()
    .slice(0, 4)
  return (
    <Text size="sm" c="dimmed">
      Next: {dates.map(shortDay).join(', ')}. Times are those of {branch.timezone}.
    </Text>
  )
}
