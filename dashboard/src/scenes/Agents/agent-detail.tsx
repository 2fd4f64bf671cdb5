import { Page } from '../../ui/page.tsx'

export function AgentDetail() {
  return <Page title="Agent">{null}</Page>
}
