import { Button, Text } from '@mantine/core'
import type { Agent } from '@parley/contract/agents'
import type { CreatedCall } from '@parley/contract/calls'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { writeOnce } from '../../api.ts'
import { Mark } from '../../ui/mark.tsx'
import { Panel } from '../../ui/panel.tsx'
import { AgentSelect, canCall } from '../NewCall/agent-select.tsx'
import type { ReadFile } from './check.ts'
import { columnFault } from './columns.ts'
import { ColumnsEditor } from './columns-editor.tsx'
import { Preview } from './preview.tsx'
import { RunProgress } from './progress.tsx'
import { rowKey } from './result-csv.ts'
import { type CallRow, noteRepeats, toRow } from './rows.ts'
import { type Run, startRun } from './run.ts'

const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))

const place = (fileKey: string) => async (row: CallRow) => {
  const { data, replayed } = await writeOnce<CreatedCall['data']>('/api/v1/calls', row.body, rowKey(fileKey, row))
  return { callId: data.call_id, replayed }
}

const isUnderWay = (run: Run | null): boolean => run !== null && ['running', 'paused'].includes(run.get().state)

/** A file that could be read: whose calls, which columns, what is wrong, and then the sending. */
export function Checked({ file, agents }: { file: ReadFile; agents: readonly Agent[] }) {
  const able = agents.filter(canCall)
  const [agentId, setAgentId] = useState(able.length === 1 ? (able[0]?.agent_id ?? '') : '')
  const [targets, setTargets] = useState(file.targets)
  const [run, setRun] = useState<Run | null>(null)
  const rows = useMemo(() => {
    const now = new Date()
    return noteRepeats(file.records.map((record) => toRow(record, targets, { agentId, now })))
  }, [file, targets, agentId])
  const good = rows.filter(({ faults }) => faults.length === 0)
  const isReady = agentId !== '' && columnFault(targets) === null && good.length > 0

  useBlocker({
    shouldBlockFn: () => isUnderWay(run) && !window.confirm('Calls are still being placed. Leave and stop?'),
    enableBeforeUnload: () => isUnderWay(run),
  })
  useEffect(() => () => run?.stop(), [run])

  if (run) {
    return (
      <Panel title="Placing the calls">
        <RunProgress run={run} rows={rows} total={good.length} />
      </Panel>
    )
  }
  const begin = () => setRun(startRun(good, { send: place(file.key), sleep, now: Date.now }))
  const faulty = rows.length - good.length
  return (
    <>
      <Panel title="Who calls">
        <AgentSelect agents={agents} value={agentId} fault={undefined} onChange={setAgentId} />
      </Panel>
      <Panel title="What the columns are">
        <ColumnsEditor headings={file.headings} targets={targets} onChange={setTargets} />
      </Panel>
      <Panel
        title="What will happen"
        actions={
          <Button disabled={!isReady} onClick={begin}>
            {good.length === 1 ? 'Place 1 call' : `Place ${good.length.toLocaleString('en')} calls`}
          </Button>
        }
      >
        <div className="bulk-sum" role="status">
          <Mark tone="good">{good.length.toLocaleString('en')} ready</Mark>
          {faulty > 0 && <Mark tone="bad">{faulty.toLocaleString('en')} with faults, left out</Mark>}
        </div>
        <Text size="sm" c="dimmed" mb="md">
          {agentId === '' && 'Choose an agent first. '}The same file sent again within a day places no call twice.
        </Text>
        <Preview rows={rows} />
      </Panel>
    </>
  )
}
