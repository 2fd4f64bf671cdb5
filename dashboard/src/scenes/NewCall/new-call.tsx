import { Page } from '../../ui/page.tsx'

export function NewCall() {
  return <Page title="New call">{null}</Page>
}
