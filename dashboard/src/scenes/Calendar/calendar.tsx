import { Page } from '../../ui/page.tsx'

export function Calendar() {
  return <Page title="Calendar">{null}</Page>
}
