import { Page } from '../../ui/page.tsx'

export function CallDetail() {
  return <Page title="Call">{null}</Page>
}
