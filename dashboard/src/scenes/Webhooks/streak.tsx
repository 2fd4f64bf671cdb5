import { Progress, Text } from '@mantine/core'
import { Mark } from '../../ui/mark.tsx'
import { mostFailures, streakWords } from './webhook-words.ts'

/** How far it is from being switched off. */
export function Streak({ failures }: { failures: number }) {
  const { tone, words } = streakWords(failures)
  return (
    <div className="streak">
      <Mark tone={tone}>{words}</Mark>
      <Progress
        value={(100 * failures) / mostFailures}
        color={tone === 'good' ? 'parley' : tone === 'warn' ? 'yellow' : 'red'}
        size="sm"
        aria-label="Failed attempts in a row"
      />
      <Text size="xs" c="dimmed">
        {failures} of {mostFailures} failures in a row
      </Text>
    </div>
  )
}
