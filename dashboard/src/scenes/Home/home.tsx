import { useMay, useSignedIn } from '../../session.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Attention } from './attention.tsx'
import { dayName } from './bars.ts'
import { Charts } from './charts.tsx'
import { Checklist } from './checklist.tsx'
import { Figures } from './figures.tsx'
import './home.css'
import { LiveCalls } from './live-calls.tsx'
import { useHome } from './use-home.ts'

export function Home() {
  const { organisation, user } = useSignedIn()
  const mayWork = useMay('work')
  const { live, home } = useHome()
  const date = home.data && `Today is ${dayName(home.data.date)}, ${home.data.timezone.replaceAll('_', ' ')}.`
  return (
    <Page
      title={organisation.name}
      lead={date}
      actions={
        mayWork && (
          <LinkButton to="/calls/new" size="sm">
            New call
          </LinkButton>
        )
      }
    >
      <Loaded query={home} rows={8}>
        {(data) => (
          <>
            {user.role !== 'viewer' && <Checklist checklist={data.checklist} />}
            <Figures home={data} />
            <div className="grid">
              <Loaded query={live}>{(calls) => <LiveCalls live={calls} />}</Loaded>
              <Attention home={data} />
            </div>
            <Charts home={data} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
