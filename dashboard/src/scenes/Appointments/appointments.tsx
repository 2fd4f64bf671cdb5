import { Page } from '../../ui/page.tsx'

export function Appointments() {
  return <Page title="Appointments">{null}</Page>
}
