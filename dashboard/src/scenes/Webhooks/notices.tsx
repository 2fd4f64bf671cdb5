import { Text } from '@mantine/core'
import type { Endpoint } from '@parley/contract/webhooks'
import { Link } from '@tanstack/react-router'
import { Icon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/panel.tsx'
import { When } from '../../ui/when.tsx'
import { useNotices } from './webhook-queries.ts'
import { hostOf, noticeWords } from './webhook-words.ts'

const shown = 10

/** Warnings at 10, 25 and 40 failures, switching off, and recovery; newest first. */
export function Notices({ endpoints }: { endpoints: readonly Endpoint[] }) {
  const { data: notices = [] } = useNotices()
  if (notices.length === 0) return null
  const nameOf = (id: string) => {
    const found = endpoints.find((each) => each.endpoint_id === id)
    return found ? (found.description ?? hostOf(found.url)) : id
  }
  return (
    <Panel title="Notices">
      <ul className="notices">
        {notices.slice(0, shown).map((notice) => {
          const { tone, words } = noticeWords(notice)
          return (
            <li key={`${notice.endpoint_id} ${notice.created_at} ${notice.consecutive_failures}`} className="notice">
              <span className="notice-icon" data-tone={tone}>
                <Icon name={tone === 'good' ? 'check' : 'alert'} />
              </span>
              <div>
                <Text size="sm">
                  <Link className="link" to="/webhooks/$endpointId" params={{ endpointId: notice.endpoint_id }}>
                    {nameOf(notice.endpoint_id)}
                  </Link>
                  : {words}
                </Text>
                <Text size="xs" c="dimmed">
                  <When at={notice.created_at} />
                </Text>
              </div>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
