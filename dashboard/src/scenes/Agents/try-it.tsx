import { Alert, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { type Agent, type Character, characterNames, characters } from '@parley/contract/agents'
import type { CreatedCall } from '@parley/contract/calls'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { write } from '../../api.ts'
import { explain } from '../../explain.ts'
import { useMay } from '../../session.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ownPlaceholders } from './agent-draft.ts'
import { TryLive } from './try-live.tsx'

/** Why this agent cannot be tried here; null when it can. */
export function whyNot(agent: Agent, mayWork: boolean): string | null {
  if (!mayWork) return 'Viewers look, they do not call. Staff, admins and owners can try an agent.'
  if (agent.archived_at) return 'It is archived. Restore it first.'
  if (agent.type !== 'outbound') return 'It takes calls and does not place them, so there is nothing to try from here.'
  if (agent.number === null) return 'It has no number. Edit it and choose a simulator number.'
  if (agent.carrier !== 'simulator')
    return 'Its number is on a real phone line. The simulator’s people can be called from a simulator number only: give the agent one, or place a call to your own phone.'
  return null
}

export function TryIt({ agent }: { agent: Agent }) {
  const reason = whyNot(agent, useMay('work'))
  const keys = ownPlaceholders(agent.placeholders)
  const [character, setCharacter] = useState<Character>('0001')
  const [name, setName] = useState('Maya')
  const [values, setValues] = useState<Record<string, string>>({})
  const trying = useMutation({
    mutationFn: () => {
      const info = Object.fromEntries(keys.slice(0, 25).map((key) => [key, values[key] ?? '']))
      const body = {
        character,
        ...(name.trim() === '' ? {} : { user_name: name.trim() }),
        ...(keys.length === 0 ? {} : { additional_info: info }),
      }
      return write<CreatedCall['data']>('POST', `/api/agents/${agent.agent_id}/try`, body)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!trying.isPending) trying.mutate()
  }
  return (
    <Panel title="Try it">
      {reason ? (
        <Alert role="note" icon={<Icon name="info" />}>
          {reason}
        </Alert>
      ) : (
        <form onSubmit={submit}>
          <Stack gap="sm">
            <Text size="sm" c="dimmed">
              A real call on the simulator: no phone rings. It costs credits like any other.
            </Text>
            <NativeSelect
              label="Who picks up"
              value={character}
              data={characterNames.map((each) => ({ value: each, label: `…${each} · ${characters[each]}` }))}
              onChange={(event) => setCharacter(event.currentTarget.value as Character)}
            />
            <TextInput
              label="Their name"
              value={name}
              maxLength={200}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            {keys.slice(0, 25).map((key) => (
              <TextInput
                key={key}
                label={key}
                description="Used by the greeting or the prompt."
                value={values[key] ?? ''}
                maxLength={1000}
                onChange={(event) => {
                  const { value } = event.currentTarget
                  setValues((before) => ({ ...before, [key]: value }))
                }}
              />
            ))}
            {trying.error && <FailureNote explanation={explain(trying.error)} />}
            <div>
              <BusyButton type="submit" busy={trying.isPending} busyWords="Calling…">
                {trying.data ? 'Call again' : 'Start the call'}
              </BusyButton>
            </div>
          </Stack>
        </form>
      )}
      {trying.data && <TryLive key={trying.data.call_id} callId={trying.data.call_id} agentName={agent.name} />}
    </Panel>
  )
}
