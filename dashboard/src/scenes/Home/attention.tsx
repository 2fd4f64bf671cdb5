import { Text } from '@mantine/core'
import { failuresUntilOff, fewCredits, type Home } from '@parley/contract/home'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMay } from '../../session.ts'
import { Mark, type Tone } from '../../ui/mark.tsx'
import { Panel } from '../../ui/panel.tsx'
import { When } from '../../ui/when.tsx'
import { CallAgain } from './call-again.tsx'
import { isWorthAnother, reasonWords } from './call-words.ts'

interface Matter {
  key: string
  tone: Tone
  mark: string
  words: ReactNode
  action?: ReactNode
}

function mattersOf(home: Home, mayWork: boolean): Matter[] {
  const free = home.credits.balance - home.credits.held
  return [
    ...(free < fewCredits
      ? [
          {
            key: 'credits',
            tone: free < 1 ? ('bad' as const) : ('warn' as const),
            mark: free < 1 ? 'No credits' : 'Few credits',
            words:
              free < 1 ? 'Calls are not placed until credits are added.' : `${free} left. A call needs one a minute.`,
          },
        ]
      : []),
    ...home.endpoints.map((each) => ({
      key: each.endpoint_id,
      tone: each.disabled ? ('bad' as const) : ('warn' as const),
      mark: each.disabled ? 'Endpoint is off' : 'Endpoint fails',
      words: (
        <>
          <Link to="/webhooks/$endpointId" params={{ endpointId: each.endpoint_id }}>
            {each.url}
          </Link>{' '}
          {each.disabled
            ? 'was switched off after 50 failures. Nothing is lost: deliveries wait.'
            : `${each.consecutive_failures} of ${failuresUntilOff} failures in a row; at ${failuresUntilOff} it is switched off.`}
        </>
      ),
    })),
    ...home.callbacks.map((each) => ({
      key: each.call_id,
      tone: 'calm' as const,
      mark: 'Callback',
      words: (
        <>
          <Link to="/calls/$callId" params={{ callId: each.call_id }}>
            {each.contact_name ?? each.contact_number}
          </Link>{' '}
          asked to be called at <When at={each.scheduled_at} />. {each.agent_name} will.
        </>
      ),
    })),
    ...home.failed_calls.map((each) => ({
      key: each.call_id,
      tone: 'bad' as const,
      mark: 'Failed call',
      words: (
        <>
          <Link to="/calls/$callId" params={{ callId: each.call_id }}>
            {each.contact_name ?? each.contact_number}
          </Link>
          : {reasonWords(each.error_code)}
        </>
      ),
      ...(mayWork && isWorthAnother(each.error_code)
        ? { action: <CallAgain callId={each.call_id} who={each.contact_name ?? each.contact_number} /> }
        : {}),
    })),
    ...home.idle_numbers.map((each) => ({
      key: each.phone_number_id,
      tone: 'calm' as const,
      mark: 'Idle number',
      words: (
        <>
          {each.number} belongs to no agent. <Link to="/agents">Assign it</Link>
        </>
      ),
    })),
  ]
}

export function Attention({ home }: { home: Home }) {
  const matters = mattersOf(home, useMay('work'))
  return (
    <Panel title="Needs attention">
      {matters.length === 0 ? (
        <Text c="dimmed">Nothing. All is well.</Text>
      ) : (
        <ul className="matters">
          {matters.map((each) => (
            <li key={each.key} className="matter">
              <Mark tone={each.tone}>{each.mark}</Mark>
              <Text size="sm" component="div" className="matter-words">
                {each.words}
              </Text>
              {each.action}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
