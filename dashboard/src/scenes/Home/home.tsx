import { Badge, Button, Paper, Text, Title } from '@mantine/core'
import { useSignedIn } from '../../session.ts'
import { CopyId } from '../../ui/copy-id.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Page } from '../../ui/page.tsx'
import './home.css'
import { labelOf } from './wording.ts'

export function Home() {
  const { user, organisation } = useSignedIn()
  return (
    <Page
      title={organisation.name}
      actions={
        <Badge size="lg" variant="light">
          {labelOf(organisation.plan)} plan
        </Badge>
      }
    >
      <div className="home-cards">
        <Paper component="section" withBorder p="lg" radius="lg" aria-labelledby="account">
          <Title order={2} size="h4" id="account">
            Your account
          </Title>
          <Facts>
            <Fact name="Signed in as">{user.email}</Fact>
            <Fact name="Role">{labelOf(user.role)}</Fact>
            <Fact name="Organisation ID">
              <CopyId id={organisation.organisation_id} label="organisation ID" />
            </Fact>
          </Facts>
        </Paper>

        <Paper component="section" withBorder p="lg" radius="lg" aria-labelledby="api" className="home-api">
          <Title order={2} size="h4" id="api">
            Build with the API
          </Title>
          <Text c="dimmed" mt="xs">
            Place calls, offer times, book appointments and hear about every outcome. The reference lists each endpoint
            with its fields and answers.
          </Text>
          <Button component="a" href="/docs" mt="lg" rightSection={<Icon name="arrow" />}>
            Open the API reference
          </Button>
        </Paper>
      </div>
    </Page>
  )
}
