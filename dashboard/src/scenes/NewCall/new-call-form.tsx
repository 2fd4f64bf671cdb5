import { Button, TextInput } from '@mantine/core'
import type { Agent } from '@parley/contract/agents'
import type { CreateCallBody, CreatedCall } from '@parley/contract/calls'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { writeOnce } from '../../api.ts'
import { contentKey, randomKey } from '../../content-key.ts'
import { curlOf } from '../../curl.ts'
import { explain } from '../../explain.ts'
import { faultsOf, hasOtherFaults } from '../../form-faults.ts'
import { refresh } from '../../live.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Code } from '../../ui/code.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Panel } from '../../ui/panel.tsx'
import { AgentSelect } from './agent-select.tsx'
import { bodyOf, type CallForm, formFaults } from './call-form.ts'
import { InfoEditor } from './info-editor.tsx'
import { NumberField } from './number-field.tsx'
import { Schedule } from './schedule.tsx'

const fields = ['agent_id', 'user_number', 'user_name', 'user_email', 'user_preferred_language', 'scheduled_time']

/** The time, for what depends on it; a form may stay open for long. */
function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 15_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

export function NewCallForm({ agents, start }: { agents: readonly Agent[]; start: CallForm }) {
  const [form, setForm] = useState(start)
  const [wasSent, setWasSent] = useState(false)
  const [showsCurl, setShowsCurl] = useState(false)
  const [visit] = useState(randomKey)
  const navigate = useNavigate()
  const client = useQueryClient()
  const now = useNow()
  const element = useRef<HTMLFormElement>(null)
  const change = (part: Partial<CallForm>) => setForm((before) => ({ ...before, ...part }))
  const own = formFaults(form, now)

  const place = useMutation({
    // The same form sent twice is one call: the key stands for this visit and what is filled in.
    mutationFn: (body: CreateCallBody) =>
      writeOnce<CreatedCall['data']>('/api/v1/calls', body, `form-${visit}-${contentKey(JSON.stringify(body))}`),
    onSuccess: ({ data }) => {
      void refresh(client, ['calls'])
      void navigate({ to: '/calls/$callId', params: { callId: data.call_id } })
    },
  })
  const faults: Record<string, string | undefined> = { ...faultsOf(place.error), ...(wasSent ? own : {}) }

  const send = () => {
    setWasSent(true)
    if (Object.keys(own).length === 0) {
      place.mutate(bodyOf(form))
      return
    }
    // After the faults are drawn: to the first of them.
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  return (
    <form
      ref={element}
      className="new-call"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!place.isPending) send()
      }}
    >
      <Panel title="Whom to call">
        <div className="form-stack">
          <AgentSelect
            agents={agents}
            value={form.agentId}
            fault={faults.agent_id}
            onChange={(agentId) => change({ agentId })}
          />
          <NumberField value={form.number} fault={faults.user_number} onChange={(number) => change({ number })} />
          <TextInput
            label="Name"
            maxLength={200}
            autoComplete="off"
            value={form.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <TextInput
            label="E-mail"
            type="email"
            maxLength={254}
            autoComplete="off"
            value={form.email}
            error={faults.user_email}
            onChange={(event) => change({ email: event.currentTarget.value })}
          />
          <TextInput
            label="Language"
            description="A code such as en or hi. Empty: the agent’s own."
            maxLength={35}
            value={form.language}
            error={faults.user_preferred_language}
            onChange={(event) => change({ language: event.currentTarget.value })}
          />
        </div>
      </Panel>
      <div className="form-stack">
        <Panel>
          <Schedule form={form} fault={faults.scheduled_time} now={now} onChange={change} />
        </Panel>
        <Panel>
          <InfoEditor
            form={form}
            agent={agents.find((each) => each.agent_id === form.agentId)}
            fault={faults.additional_info}
            onChange={(info) => change({ info })}
          />
        </Panel>
        {place.error && hasOtherFaults(place.error, fields) && <FailureNote explanation={explain(place.error)} />}
        <div className="form-actions">
          <BusyButton type="submit" busy={place.isPending} busyWords="Placing the call…">
            {form.when === 'now' ? 'Call now' : 'Schedule the call'}
          </BusyButton>
          <Button variant="default" aria-expanded={showsCurl} onClick={() => setShowsCurl(!showsCurl)}>
            {showsCurl ? 'Hide curl' : 'Show as curl'}
          </Button>
        </div>
        {showsCurl && (
          <Code text={curlOf({ method: 'POST', path: '/v1/calls', body: bodyOf(form) })} label="curl command" />
        )}
      </div>
    </form>
  )
}
