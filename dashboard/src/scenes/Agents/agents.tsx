import { Switch } from '@mantine/core'
import type { Agent } from '@parley/contract/agents'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { curlOf } from '../../curl.ts'
import { useMay } from '../../session.ts'
import { Empty } from '../../ui/empty.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import './agents.css'
import { useAgents } from '../../use-agents.ts'
import { languageName } from './languages.ts'
import { Numbers } from './numbers.tsx'
import { retryWords } from './retry-words.ts'
import { Trunks } from './trunks.tsx'

const columns: Column<Agent>[] = [
  {
    label: 'Agent',
    cell: (agent) => (
      <Link to="/agents/$agentId" params={{ agentId: agent.agent_id }}>
        {agent.name}
      </Link>
    ),
  },
  {
    label: 'Type',
    cell: (agent) =>
      agent.archived_at ? <Mark tone="calm">Archived</Mark> : agent.type === 'outbound' ? 'Outbound' : 'Inbound',
  },
  { label: 'Language', cell: (agent) => languageName(agent.language) },
  {
    label: 'Number',
    cell: (agent) => agent.number ?? (agent.archived_at ? '–' : <Mark tone="warn">No number</Mark>),
  },
  { label: 'Branch', cell: (agent) => agent.branch_name ?? '–' },
  { label: 'Retry', wideOnly: true, cell: (agent) => retryWords(agent.retry) },
]

export function Agents() {
  const mayManage = useMay('manage')
  const navigate = useNavigate()
  const withArchived = useSearch({ strict: false }).archived === 'show'
  const agents = useAgents(withArchived)
  const create = mayManage && (
    <LinkButton to="/agents/new" size="sm">
      New agent
    </LinkButton>
  )
  return (
    <Page title="Agents & numbers" lead="Who calls, what they say, and the lines they use." actions={create}>
      <Panel
        title="Agents"
        actions={
          <Switch
            size="sm"
            label="Show archived"
            checked={withArchived}
            onChange={(event) =>
              void navigate({ to: '/agents', search: event.currentTarget.checked ? { archived: 'show' } : {} })
            }
          />
        }
      >
        <Loaded query={agents}>
          {(list) =>
            list.length === 0 ? (
              <Empty
                title="No agent yet"
                text={
                  mayManage
                    ? 'An agent has a name, a greeting and a prompt. With a number it can place calls.'
                    : 'An owner or admin of your organisation can create one.'
                }
                action={create}
                curl={curlOf({
                  method: 'POST',
                  path: '/v1/calls',
                  body: { agent_id: 'YOUR_AGENT', user_number: '+15005550001' },
                })}
              />
            ) : (
              <Table label="Agents" columns={columns} rows={list} keyOf={(agent) => agent.agent_id} />
            )
          }
        </Loaded>
      </Panel>
      <Numbers />
      {mayManage && <Trunks />}
    </Page>
  )
}
