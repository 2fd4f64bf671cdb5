import { Badge, Button, Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Session } from '../../api.ts'
import { CopyId } from '../../ui/copy-id.tsx'
import { Icon } from '../../ui/icons.tsx'
import './home.css'
import { labelOf } from './wording.ts'

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

export function Home({ session: { user, organisation } }: { session: Session }) {
  return (
    <>
      <div className="home-head">
        <Title order={1} tabIndex={-1} data-arrival className="home-title">
          {organisation.name}
        </Title>
        <Badge size="lg" variant="light">
          {labelOf(organisation.plan)} plan
        </Badge>
      </div>
      <div className="home-cards">
        <Paper component="section" withBorder p="lg" radius="lg" aria-labelledby="account">
          <Title order={2} size="h4" id="account">
            Your account
          </Title>
          <dl className="facts">
            <Fact name="Signed in as">{user.email}</Fact>
            <Fact name="Role">{labelOf(user.role)}</Fact>
            <Fact name="Organisation ID">
              <CopyId id={organisation.organisation_id} label="organisation ID" />
            </Fact>
          </dl>
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
    </>
  )
}
