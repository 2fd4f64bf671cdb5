import { Page } from '../../ui/page.tsx'

export function EndpointDetail() {
  return <Page title="Endpoint">{null}</Page>
}
