import { Alert } from '@mantine/core'
import type { Agent } from '@parley/contract/agents'
import type { Call } from '@parley/contract/calls'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { read } from '../../api.ts'
import { useMay, useSignedIn } from '../../session.ts'
import { Icon } from '../../ui/icons.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import '../Calls/calls.css'
import { useAgents } from '../../use-agents.ts'
import { canCall } from './agent-select.tsx'
import { emptyForm, formOfCall } from './call-form.ts'
import './new-call.css'
import { NewCallForm } from './new-call-form.tsx'

export function NewCall() {
  const { again } = useSearch({ strict: false }) as Record<string, string>
  const mayWork = useMay('work')
  const { timezone } = useSignedIn().organisation
  const agents = useAgents()
  const earlier = useQuery({
    queryKey: ['call-to-repeat', again ?? ''],
    queryFn: ({ signal }) =>
      again ? read<Call>(`/api/v1/calls/${encodeURIComponent(again)}`, {}, signal) : Promise.resolve(null),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const prefilled = (call: Call | null, all: readonly Agent[]) => {
    if (call) return formOfCall(call, timezone)
    const able = all.filter(canCall)
    return { ...emptyForm(timezone), agentId: able.length === 1 ? (able[0]?.agent_id ?? '') : '' }
  }
  return (
    <Page
      title={again ? 'Call again' : 'New call'}
      lead={
        <>
          One person, now or at a time you choose. <Link to="/calls/bulk">Many people? Use a file.</Link>
        </>
      }
    >
      {mayWork ? (
        <Loaded query={agents} rows={6}>
          {(all) => (
            <Loaded query={earlier} rows={6}>
              {(call) => <NewCallForm key={call?.call_id ?? 'new'} agents={all} start={prefilled(call, all)} />}
            </Loaded>
          )}
        </Loaded>
      ) : (
        <Alert color="yellow" icon={<Icon name="info" />} title="Your role may look, but not call">
          Ask an owner or admin of your organisation to change your role.
        </Alert>
      )}
    </Page>
  )
}
