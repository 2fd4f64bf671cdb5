import type { CallDetail } from '@parley/contract/dashboard-calls'
import { CopyId } from '../../ui/copy-id.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Mark } from '../../ui/mark.tsx'
import { When } from '../../ui/when.tsx'
import { timelineOf } from './timeline.ts'
import { useCallNews, useCallRequests } from './use-call.ts'

export function Timeline({ detail }: { detail: CallDetail }) {
  const callId = detail.call.call_id
  const news = useCallNews(callId)
  const requests = useCallRequests(callId, detail.source)
  return (
    <Loaded query={news}>
      {(told) => (
        <ol className="timeline" aria-label="Timeline">
          {timelineOf(detail, told, requests.data).map((moment, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: moments are only ever added
            <li key={at} className="moment">
              <Mark tone={moment.tone}>{moment.title}</Mark>
              <div className="dimmed small">
                <When at={moment.at} exact />
                {moment.text && <span className="foreign"> · {moment.text}</span>}
              </div>
              {moment.ids.map(({ label, id }) => (
                <div key={id} className="small">
                  <CopyId id={id} label={label} />
                </div>
              ))}
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  )
}
