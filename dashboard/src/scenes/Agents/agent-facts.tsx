import { Button, Group, Text } from '@mantine/core'
import type { Agent } from '@parley/contract/agents'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { write } from '../../api.ts'
import { useMay } from '../../session.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyId } from '../../ui/copy-id.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toast } from '../../ui/toast.ts'
import { When } from '../../ui/when.tsx'
import { preview } from './agent-draft.ts'
import { languageName } from './languages.ts'
import { retryWords } from './retry-words.ts'

function useArchive(agent: Agent, onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (archived: boolean) => write('PATCH', `/api/agents/${agent.agent_id}`, { archived }),
    onSuccess: async (_answer, archived) => {
      await client.invalidateQueries({ queryKey: ['agents'] })
      void client.invalidateQueries({ queryKey: ['calls', 'numbers'] })
      toast(archived ? `${agent.name} is archived.` : `${agent.name} is back. Give it a number.`)
      onDone()
    },
  })
}

export function AgentFacts({ agent, onEdit }: { agent: Agent; onEdit: () => void }) {
  const mayManage = useMay('manage')
  const [asking, setAsking] = useState(false)
  const archiving = useArchive(agent, () => setAsking(false))
  return (
    <Panel
      title="About"
      actions={
        mayManage && (
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={onEdit}>
              Edit
            </Button>
            <Button
              size="xs"
              variant="default"
              onClick={() => (agent.archived_at ? archiving.mutate(false) : setAsking(true))}
            >
              {agent.archived_at ? 'Restore' : 'Archive'}
            </Button>
          </Group>
        )
      }
    >
      <Facts>
        <Fact name="Type">{agent.type === 'outbound' ? 'Outbound' : 'Inbound'}</Fact>
        <Fact name="Language">{languageName(agent.language)}</Fact>
        <Fact name="Number">{agent.number ?? <Mark tone="warn">No number: it cannot call</Mark>}</Fact>
        <Fact name="Branch">{agent.branch_name ?? 'None: it books nothing'}</Fact>
        <Fact name="Voice">
          {/* biome-ignore lint/a11y/useMediaCaption: its words stand below, as the greeting */}
          <audio
            className="voice"
            controls
            preload="none"
            aria-label={`The ${languageName(agent.language)} voice: the greeting`}
            src={`/api/agents/${agent.agent_id}/voice?${encodeURIComponent(agent.updated_at)}`}
          />
        </Fact>
        <Fact name="Retry">{retryWords(agent.retry)}</Fact>
        <Fact name="Voicemail">{agent.voicemail.message ? `Leaves “${agent.voicemail.message}”` : 'Hangs up'}</Fact>
        <Fact name="Puts through to">{agent.transfer_to ?? 'Nobody'}</Fact>
        <Fact name="Changed">
          <When at={agent.updated_at} />
        </Fact>
        <Fact name="Agent ID">
          <CopyId id={agent.agent_id} label="agent ID" />
        </Fact>
      </Facts>
      <Text size="sm" className="preview" mt="md">
        <span className="dimmed">Greets with: </span>“{preview(agent.greeting)}”
      </Text>
      {asking && (
        <Confirm
          title={`Archive ${agent.name}?`}
          doIt="Archive"
          doing="Archiving…"
          failure={archiving.error}
          busy={archiving.isPending}
          onConfirm={() => archiving.mutate(true)}
          onClose={() => setAsking(false)}
        >
          Agents are not deleted, because their calls keep naming them. An archived agent loses its number and places no
          more calls; calls that are still planned with it will fail. You can restore it.
        </Confirm>
      )}
    </Panel>
  )
}
