import { Alert, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../session.ts'
import { Icon } from '../../ui/icons.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import '../Calls/calls.css'
import { useAgents } from '../../use-agents.ts'
import '../NewCall/new-call.css'
import './bulk-calls.css'
import { type ReadFile, readFile } from './check.ts'
import { Checked } from './checked.tsx'
import { Source } from './source.tsx'

export function BulkCalls() {
  const mayWork = useMay('work')
  const agents = useAgents()
  const [file, setFile] = useState<ReadFile | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const take = (text: string) => {
    const found = readFile(text)
    setFault('fault' in found ? found.fault : null)
    setFile('fault' in found ? null : found)
  }
  return (
    <Page
      title="Calls from a file"
      lead={
        <>
          Everything is checked before anything is sent. <Link to="/calls/new">Only one call?</Link>
        </>
      }
      actions={
        file && (
          <Button variant="default" onClick={() => setFile(null)}>
            Another file
          </Button>
        )
      }
    >
      {!mayWork && (
        <Alert color="yellow" icon={<Icon name="info" />} title="Your role may look, but not call">
          Ask an owner or admin of your organisation to change your role.
        </Alert>
      )}
      {mayWork && !file && (
        <Panel>
          <Source onText={take} />
          {fault && (
            <Alert mt="md" color="red" role="alert" icon={<Icon name="alert" />} title="This cannot be read">
              {fault}
            </Alert>
          )}
        </Panel>
      )}
      {mayWork && file && (
        <Loaded query={agents}>{(all) => <Checked key={file.key} file={file} agents={all} />}</Loaded>
      )}
    </Page>
  )
}
