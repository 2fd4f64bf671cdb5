import { Link, useParams } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense } from 'react'
import { Loading } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { NotFound } from '../Home/not-found.tsx'
import './settings.css'

const section = (label: string, load: () => Promise<ComponentType>) => ({
  label,
  Section: lazy(async () => ({ default: await load() })),
})

const sections = {
  organisation: section('Organisation & plan', async () => (await import('./organisation.tsx')).OrganisationSettings),
  branches: section('Branches', async () => (await import('./branches.tsx')).BranchesSettings),
  services: section('Services', async () => (await import('./services.tsx')).ServicesSettings),
  holidays: section('Holidays', async () => (await import('./holidays.tsx')).HolidaysSettings),
  sharing: section('Sharing', async () => (await import('./sharing.tsx')).SharingSettings),
  'do-not-call': section('Do not call', async () => (await import('./do-not-call.tsx')).DoNotCallSettings),
  team: section('Team', async () => (await import('./team.tsx')).TeamSettings),
  'audit-log': section('Audit log', async () => (await import('./audit-log.tsx')).AuditLogSettings),
  account: section('Your account', async () => (await import('./account.tsx')).AccountSettings),
} as const
type SectionName = keyof typeof sections
const names = Object.keys(sections) as SectionName[]

export function Settings() {
  const { section = 'organisation' } = useParams({ strict: false })
  const name = names.find((each) => each === section)
  if (!name) return <NotFound />
  const { Section } = sections[name]
  return (
    <Page title="Settings">
      <div className="settings">
        <nav aria-label="Settings" className="settings-nav">
          {names.map((each) => (
            <Link
              key={each}
              to="/settings/$section"
              params={{ section: each }}
              className="nav-link"
              {...(each === name ? { 'aria-current': 'page' as const } : {})}
            >
              {sections[each].label}
            </Link>
          ))}
        </nav>
        <div className="settings-section">
          <Suspense fallback={<Loading />}>
            <Section />
          </Suspense>
        </div>
      </div>
    </Page>
  )
}
