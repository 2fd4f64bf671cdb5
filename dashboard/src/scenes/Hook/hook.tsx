import { Progress, Text } from '@mantine/core'
import type { HookSettings } from '@parley/contract/hook-settings'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../../api.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { ManagersOnly } from '../../ui/managers-only.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { When } from '../../ui/when.tsx'
import './hook.css'
import { HookRequests } from './hook-requests.tsx'
import { HookSigning } from './hook-signing.tsx'
import { HookUrl } from './hook-url.tsx'
import { quotaWords } from './hook-words.ts'
import { Recipes } from './recipes.tsx'

const curlFor = (url: string): string =>
  [
    `curl -X POST '${url}' -H 'content-type: application/json' \\`,
    `  -d '{ "action": "call.create", "data": { "agent_id": "agt_…", "contact_number": "+15005550001" } }'`,
  ].join('\n')

export function Hook() {
  const query = useQuery({
    queryKey: ['hook', 'settings'],
    queryFn: ({ signal }) => read<HookSettings>('/api/hook', {}, signal),
  })
  // Only in this page's memory: once it is left, nobody knows it but who saved it.
  const [url, setUrl] = useState<string | null>(null)
  return (
    <Page
      title="Inbound hook"
      lead="One secret URL lets tools such as Zapier, Make or a spreadsheet place, cancel and erase calls. No code, no API key."
    >
      <ManagersOnly what="change the hook" />
      <Loaded query={query}>
        {({ url_start, signing, quota }) => (
          <>
            <div className="grid">
              <HookUrl urlStart={url_start} onNewUrl={setUrl} />
              <div className="hook-side">
                <HookSigning signing={signing} />
                <Quota quota={quota} />
              </div>
            </div>
            <HookRequests curl={curlFor(url ?? `${url_start}YOUR_TOKEN`)} />
          </>
        )}
      </Loaded>
      <Recipes url={url} />
    </Page>
  )
}

const colours = { good: 'parley', warn: 'yellow', bad: 'red' } as const

function Quota({ quota }: { quota: HookSettings['quota'] }) {
  const { percent, tone, words } = quotaWords(quota.used, quota.limit)
  return (
    <Panel
      title="Today"
      actions={tone !== 'good' && <Mark tone={tone}>{tone === 'bad' ? 'Used up' : 'Nearly used up'}</Mark>}
    >
      <Text fw={600}>{words}</Text>
      <Progress value={percent} color={colours[tone]} size="lg" my="xs" aria-label="Requests used today" />
      <Text size="sm" c="dimmed">
        Starts anew <When at={quota.resets_at} zone="UTC" />. Refused tokens and signatures do not count.
      </Text>
    </Panel>
  )
}
