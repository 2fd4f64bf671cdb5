import { Page } from '../../ui/page.tsx'

export function DeliveryDetail() {
  return <Page title="Delivery">{null}</Page>
}
