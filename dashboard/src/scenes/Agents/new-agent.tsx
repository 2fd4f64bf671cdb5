import type { Agent } from '@parley/contract/agents'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { write } from '../../api.ts'
import { useBranches } from '../../calendar/queries.ts'
import { useMay } from '../../session.ts'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.ts'
import { bodyOf, type Draft, emptyDraft } from './agent-draft.ts'
import { AgentForm } from './agent-form.tsx'
import { useNumbers } from './queries.ts'

export function NewAgent() {
  const mayManage = useMay('manage')
  const navigate = useNavigate()
  const client = useQueryClient()
  const numbers = useNumbers()
  const branches = useBranches()
  const saving = useMutation({
    mutationFn: (draft: Draft) => write<Agent>('POST', '/api/agents', bodyOf(draft)),
    onSuccess: async (agent) => {
      await client.invalidateQueries({ queryKey: ['agents'] })
      void client.invalidateQueries({ queryKey: ['calls', 'numbers'] })
      toast(`${agent.name} is ready.`)
      await navigate({ to: '/agents/$agentId', params: { agentId: agent.agent_id } })
    },
  })
  return (
    <Page title="New agent">
      {mayManage ? (
        <Loaded query={numbers}>
          {(list) => (
            <AgentForm
              // The number there is, is the one that is meant.
              start={{ ...emptyDraft, number: list.length === 1 ? (list[0]?.number ?? '') : '' }}
              numbers={list}
              branches={branches.data ?? []}
              failure={saving.error}
              busy={saving.isPending}
              saveWords="Create the agent"
              onSave={(draft) => saving.mutate(draft)}
              onCancel={() => void navigate({ to: '/agents' })}
            />
          )}
        </Loaded>
      ) : (
        <Empty title="Only owners and admins create agents" text="Ask one of them, or ask for another role." />
      )}
    </Page>
  )
}
