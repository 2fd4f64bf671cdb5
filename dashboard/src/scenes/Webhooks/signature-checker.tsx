import { Page } from '../../ui/page.tsx'

export function SignatureChecker() {
  return <Page title="Signature checker">{null}</Page>
}
