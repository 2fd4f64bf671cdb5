import type { Agent } from '@parley/contract/agents'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { write } from '../../api.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toast } from '../../ui/toast.ts'
import { changesIn, type Draft, draftOf } from './agent-draft.ts'
import { AgentFacts } from './agent-facts.tsx'
import { AgentForm } from './agent-form.tsx'
import './agents.css'
import { useBranches } from '../../calendar/queries.ts'
import { useAgent, useNumbers } from './queries.ts'
import { TryIt } from './try-it.tsx'

function EditAgent({ agent, onDone }: { agent: Agent; onDone: () => void }) {
  const client = useQueryClient()
  const numbers = useNumbers()
  const branches = useBranches()
  const start = draftOf(agent)
  const saving = useMutation({
    mutationFn: async (draft: Draft) => {
      const changes = changesIn(start, draft)
      if (Object.keys(changes).length > 0) await write('PATCH', `/api/agents/${agent.agent_id}`, changes)
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['agents'] })
      void client.invalidateQueries({ queryKey: ['calls', 'numbers'] })
      toast('Saved. The next call uses it.')
      onDone()
    },
  })
  return (
    <Loaded query={numbers}>
      {(list) => (
        <AgentForm
          start={start}
          numbers={list}
          branches={branches.data ?? []}
          failure={saving.error}
          busy={saving.isPending}
          saveWords="Save"
          onSave={(draft) => saving.mutate(draft)}
          onCancel={onDone}
        />
      )}
    </Loaded>
  )
}

export function AgentDetail() {
  const { agentId = '' } = useParams({ strict: false })
  const agent = useAgent(agentId)
  const [isEditing, setEditing] = useState(false)
  return (
    <Page
      title={agent.data?.name ?? 'Agent'}
      lead={agent.data?.archived_at ? <Mark tone="calm">Archived</Mark> : undefined}
    >
      <Loaded query={agent} rows={8}>
        {(found) =>
          isEditing ? (
            <EditAgent agent={found} onDone={() => setEditing(false)} />
          ) : (
            <>
              <div className="grid">
                <AgentFacts agent={found} onEdit={() => setEditing(true)} />
                <TryIt agent={found} />
              </div>
              <Panel title="Prompt">
                {found.prompt === '' ? (
                  <p className="plain-text dimmed">No prompt yet. The agent greets and listens.</p>
                ) : (
                  <pre className="plain-text">{found.prompt}</pre>
                )}
              </Panel>
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
