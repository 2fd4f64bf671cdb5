import { Button } from '@mantine/core'
import { Page } from '../../ui/page.tsx'

export function NotFound() {
  return (
    <Page title="Page not found" lead="There is nothing at this address. It may have been mistyped.">
      <div>
        <Button component="a" href="/">
          Go to Home
        </Button>
      </div>
    </Page>
  )
}
