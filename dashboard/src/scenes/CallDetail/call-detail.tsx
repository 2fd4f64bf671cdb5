import { Tabs } from '@mantine/core'
import type { CallDetail as Detail } from '@parley/contract/dashboard-calls'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure } from '../../api-failure.ts'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { CallMark } from '../Calls/call-mark.tsx'
import { numberText, whoText } from '../Calls/call-words.ts'
import '../Calls/calls.css'
import { EraseCall } from '../Calls/erase-call.tsx'
import { AppointmentsOfCall } from './appointments-of-call.tsx'
import { FailureBanner, LinkedCalls } from './banner.tsx'
import { CallActions } from './call-actions.tsx'
import './call-detail.css'
import { Contact } from './contact.tsx'
import { Deliveries } from './deliveries.tsx'
import { Recording } from './recording.tsx'
import { ReplyTimes } from './reply-times.tsx'
import { Summary } from './summary.tsx'
import { Timeline } from './timeline-list.tsx'
import { useCall } from './use-call.ts'

export function CallDetail() {
  const { callId = '' } = useParams({ strict: false })
  const query = useCall(callId)
  const { data: detail, error } = query
  const isGone = error instanceof ApiFailure && error.facts.status === 404
  const [erasing, setErasing] = useState(false)
  const navigate = useNavigate()
  return (
    <>
      {isGone ? (
        <Gone />
      ) : (
        // Keyed: another call is another page, also for the keyboard.
        <Page
          key={callId}
          title={detail ? `Call with ${whoText(detail.call)}` : 'Call'}
          lead={detail && <Lead detail={detail} />}
          actions={detail && <CallActions call={detail.call} onErase={() => setErasing(true)} />}
        >
          <Loaded query={query} rows={8}>
            {(found) => <Whole detail={found} />}
          </Loaded>
        </Page>
      )}
      {erasing && detail && (
        // Beside the page: the receipt stays when the call is gone.
        <EraseCall
          callId={callId}
          who={whoText(detail.call)}
          onClose={() => setErasing(false)}
          onErased={() => void navigate({ to: '/calls' })}
        />
      )}
    </>
  )
}

const Gone = () => (
  <Page title="No such call">
    <Empty
      title="There is no call here"
      text="The address may be mistyped, or the call was erased."
      action={<Link to="/calls">All calls</Link>}
    />
  </Page>
)

function Lead({ detail: { call } }: { detail: Detail }) {
  return (
    <span className="lead">
      {/* States change while one looks: said aloud, too. */}
      <span role="status">
        <CallMark status={call.status} />
      </span>
      {call.contact_name && call.contact_number && <span>{numberText(call.contact_number)}</span>}
      <Link to="/calls">All calls</Link>
    </span>
  )
}

const tabs = ['summary', 'timeline', 'webhooks', 'contact', 'appointment', 'json'] as const
const labels: Record<(typeof tabs)[number], string> = {
  summary: 'Summary',
  timeline: 'Timeline',
  webhooks: 'Webhooks',
  contact: 'Contact',
  appointment: 'Booking',
  json: 'JSON',
}

function Whole({ detail }: { detail: Detail }) {
  const { call } = detail
  const search = useSearch({ strict: false }) as Record<string, string>
  const navigate = useNavigate()
  const tab = tabs.find((each) => each === search.tab) ?? 'summary'
  const choose = (next: string | null) =>
    void navigate({
      to: '/calls/$callId',
      params: { callId: call.call_id },
      search: { tab: next ?? '' },
      replace: true,
    })
  const panels = {
    summary: () => <Summary detail={detail} />,
    timeline: () => <Timeline detail={detail} />,
    webhooks: () => <Deliveries callId={call.call_id} />,
    contact: () => <Contact call={call} />,
    appointment: () => <AppointmentsOfCall appointments={detail.appointments} />,
    json: () => <Code text={JSON.stringify({ data: call }, null, 2)} label="answer of GET /v1/calls" />,
  }
  return (
    <>
      <FailureBanner detail={detail} />
      <LinkedCalls detail={detail} />
      <div className="call-columns">
        <Recording call={call} />
        <Panel className="call-tabs">
          <Tabs value={tab} onChange={choose} keepMounted={false}>
            <Tabs.List aria-label="About this call">
              {tabs.map((each) => (
                <Tabs.Tab key={each} value={each}>
                  {labels[each]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {tabs.map((each) => (
              <Tabs.Panel key={each} value={each} pt="md">
                {panels[each]()}
              </Tabs.Panel>
            ))}
          </Tabs>
        </Panel>
      </div>
      <ReplyTimes callId={call.call_id} />
    </>
  )
}
