import { Alert, List, Stack, Tabs, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Code } from '../../ui/code.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { checkSignature, type Judged, type Pasted } from './signature-check.ts'
import { verifiers } from './verifier-code.ts'
import './webhooks.css'

const nothing: Pasted = { secret: '', headers: '', body: '' }
// Spelling checkers of some browsers send what is written to their maker.
const asIs = { autoComplete: 'off', autoCorrect: 'off', autoCapitalize: 'none', spellCheck: false } as const

export function SignatureChecker() {
  const [pasted, setPasted] = useState(nothing)
  const checking = useMutation({ mutationFn: (what: Pasted) => checkSignature(what, Date.now()) })
  const set = (change: Partial<Pasted>) => {
    setPasted({ ...pasted, ...change })
    // A verdict belongs to what it was made of.
    checking.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    checking.mutate(pasted)
  }
  return (
    <Page
      title="Signature checker"
      lead={
        <>
          Your server does not accept our signature? Paste what it received, and see which mistake it is.{' '}
          <Link className="link" to="/webhooks">
            All webhooks
          </Link>
        </>
      }
    >
      <Alert icon={<Icon name="info" />} title="Nothing leaves this page">
        Secret, headers and body are checked by your browser. They are not sent to us and not kept.
      </Alert>
      <div className="grid">
        <Panel title="What your server has">
          <form onSubmit={submit} autoComplete="off">
            <Stack gap="md">
              <TextInput
                label="Secret"
                description="As your server uses it, whsec_ included."
                placeholder="whsec_…"
                value={pasted.secret}
                onChange={(event) => set({ secret: event.currentTarget.value })}
                {...asIs}
              />
              <Textarea
                label="Headers"
                description="X-Webhook-Timestamp and X-Webhook-Signature, one a line. Others do no harm."
                placeholder={'X-Webhook-Timestamp: 1763197200\nX-Webhook-Signature: v1=…'}
                rows={4}
                className="mono"
                value={pasted.headers}
                onChange={(event) => set({ headers: event.currentTarget.value })}
                {...asIs}
              />
              <Textarea
                label="Raw body"
                description="The bytes as they came, before any JSON parser."
                placeholder={'{"event_id":"evt_…",…}'}
                rows={8}
                className="mono"
                value={pasted.body}
                onChange={(event) => set({ body: event.currentTarget.value })}
                {...asIs}
              />
              <div>
                <BusyButton type="submit" busy={checking.isPending} busyWords="Checking…">
                  Check the signature
                </BusyButton>
              </div>
              <div role="status">
                {checking.data && <Verdict judged={checking.data} />}
                {checking.error && (
                  <Text size="sm">This browser cannot check here. It needs https, or an address on this machine.</Text>
                )}
              </div>
            </Stack>
          </form>
        </Panel>
        <Panel title="How to check it in your code">
          <Tabs defaultValue={verifiers[0]?.name ?? null} keepMounted={false}>
            <Tabs.List aria-label="Languages">
              {verifiers.map(({ name }) => (
                <Tabs.Tab key={name} value={name}>
                  {name}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {verifiers.map(({ name, code }) => (
              <Tabs.Panel key={name} value={name} pt="sm">
                <Code text={code} label={`${name} code`} />
              </Tabs.Panel>
            ))}
          </Tabs>
        </Panel>
      </div>
    </Page>
  )
}

function Verdict({ judged: { isGood, reasons, age } }: { judged: Judged }) {
  return (
    <Alert
      color={isGood ? 'parley' : 'red'}
      className={isGood ? '' : 'failure'}
      icon={<Icon name={isGood ? 'check' : 'alert'} />}
      title={isGood ? 'The signature is right' : 'The signature does not match'}
    >
      <Stack gap="xs">
        {isGood && <Text size="sm">This secret signed exactly this body at this time.</Text>}
        {reasons.length > 0 && (
          <List size="sm" spacing="xs">
            {reasons.map((reason) => (
              <List.Item key={reason}>{reason}</List.Item>
            ))}
          </List>
        )}
        {age && (
          <Text size="sm" c="dimmed">
            {age}
          </Text>
        )}
      </Stack>
    </Alert>
  )
}
