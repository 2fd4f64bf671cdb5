import { Page } from '../../ui/page.tsx'

export function Hook() {
  return <Page title="Inbound hook">{null}</Page>
}
