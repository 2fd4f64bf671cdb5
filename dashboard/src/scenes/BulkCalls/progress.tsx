import { Alert, Progress as Bar, Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { Icon } from '../../ui/icons.tsx'
import { Mark } from '../../ui/mark.tsx'
import { numberText } from '../Calls/call-words.ts'
import { download } from './download.ts'
import { resultCsv } from './result-csv.ts'
import type { CallRow } from './rows.ts'
import type { Run, RunState } from './run.ts'

const stateWords: Record<RunState, string> = {
  running: 'Placing calls…',
  paused: 'Paused. Nothing is sent until you go on.',
  stopped: 'Stopped. Rows that were not sent can be sent later with the same file.',
  done: 'All rows were sent.',
}

export function RunProgress({ run, rows, total }: { run: Run; rows: readonly CallRow[]; total: number }) {
  const { state, sent, waitingUntil } = useSyncExternalStore(run.subscribe, run.get)
  const refused = sent.filter(({ outcome }) => outcome.kind === 'refused')
  const before = sent.filter(({ outcome }) => outcome.kind === 'placed' && outcome.replayed).length
  const isOver = state === 'done' || state === 'stopped'
  return (
    <div className="bulk-progress">
      <Bar value={total === 0 ? 100 : (sent.length / total) * 100} aria-label="Rows sent" size="lg" />
      <Text role="status">
        {stateWords[state]} {sent.length} of {total} sent
        {before > 0 && `, ${before} of them had been placed before and were not placed again`}.
        {waitingUntil !== null && ' The server asked us to wait a little.'}
      </Text>
      <div className="form-actions">
        {state === 'running' && (
          <Button variant="default" leftSection={<Icon name="pause" size={16} />} onClick={run.pause}>
            Pause
          </Button>
        )}
        {state === 'paused' && (
          <Button leftSection={<Icon name="play" size={16} />} onClick={run.resume}>
            Go on
          </Button>
        )}
        {!isOver && (
          <Button variant="default" color="red" onClick={run.stop}>
            Stop
          </Button>
        )}
        {isOver && (
          <Button
            leftSection={<Icon name="download" size={16} />}
            onClick={() => download('parley-results.csv', resultCsv(rows, sent))}
          >
            Download the results
          </Button>
        )}
        {isOver && (
          <Button variant="default" renderRoot={(props) => <Link to="/calls" {...props} />}>
            See the calls
          </Button>
        )}
      </div>
      {refused.length > 0 && (
        <Alert color="red" icon={<Icon name="alert" />} title={`${refused.length} rows were refused`}>
          <ul className="refused">
            {refused.slice(0, 20).map(({ row, outcome }) => (
              <li key={row.line}>
                <Mark tone="bad">
                  Row {row.line}, {numberText(row.number)}
                </Mark>{' '}
                <span className="foreign">{outcome.kind === 'refused' && outcome.message}</span>
              </li>
            ))}
          </ul>
          {refused.length > 20 && 'The file of results names them all.'}
        </Alert>
      )}
    </div>
  )
}
