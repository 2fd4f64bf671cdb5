import { Page } from '../../ui/page.tsx'

export function Keys() {
  return <Page title="API keys">{null}</Page>
}
