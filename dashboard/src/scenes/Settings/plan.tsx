import { Progress, Text } from '@mantine/core'
import type { Usage } from '@parley/contract/organisation'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read } from '../../api.ts'
import { labelOf } from '../../label-of.ts'
import { useSignedIn } from '../../session.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { When } from '../../ui/when.tsx'

function Limit({ name, used, limit, note }: { name: string; used: number; limit: number | null; note?: ReactNode }) {
  const share = limit === null || limit === 0 ? 0 : Math.min(100, (used / limit) * 100)
  return (
    <li className="limit">
      <div className="limit-words">
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {limit === null
            ? `${used.toLocaleString('en')}, no limit`
            : `${used.toLocaleString('en')} of ${limit.toLocaleString('en')}`}
        </Text>
      </div>
      {limit !== null && (
        <Progress value={share} size="sm" color={share >= 100 ? 'red' : 'parley'} aria-label={`${name} in use`} />
      )}
      {note && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </li>
  )
}

export function Plan() {
  const { organisation } = useSignedIn()
  const usage = useQuery({
    queryKey: ['hook', 'usage'],
    queryFn: ({ signal }) => read<Usage>('/api/organisation/usage', {}, signal),
  })
  return (
    <Panel title={`${labelOf(organisation.plan)} plan`}>
      <Loaded query={usage}>
        {(found) => (
          <ul className="limits">
            <Limit name="Active API keys" {...found.api_keys} />
            <Limit name="Webhook endpoints" {...found.webhook_endpoints} />
            <Limit
              name="Hook requests today"
              used={found.hook_quota.used}
              limit={found.hook_quota.limit}
              note={
                <>
                  Starts again at <When at={found.hook_quota.resets_at} />
                </>
              }
            />
          </ul>
        )}
      </Loaded>
    </Panel>
  )
}
