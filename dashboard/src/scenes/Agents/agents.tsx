import { Page } from '../../ui/page.tsx'

export function Agents() {
  return <Page title="Agents &amp; numbers">{null}</Page>
}
