import { Page } from '../../ui/page.tsx'

export function BulkCalls() {
  return <Page title="Bulk calls">{null}</Page>
}
