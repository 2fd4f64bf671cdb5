import { Button, Group, Stack, Text } from '@mantine/core'
import type { SigningBody, SigningResult } from '@parley/contract/hook-settings'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { write } from '../../api.ts'
import { useMay } from '../../session.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { toast } from '../../ui/toast.ts'

const questions = {
  on: {
    title: 'Switch signing on?',
    doIt: 'Switch on',
    text: 'From now on requests without a good signature are refused. You get a signing secret to put into your tools.',
    body: { enabled: true, rotate: true },
  },
  rotate: {
    title: 'Make a new signing secret?',
    doIt: 'Make a new secret',
    text: 'The old secret stops now: requests signed with it are refused.',
    body: { enabled: true, rotate: true },
  },
  off: {
    title: 'Switch signing off?',
    doIt: 'Switch off',
    text: 'From now on the URL alone is enough to place calls.',
    body: { enabled: false, rotate: false },
  },
} as const satisfies Record<string, { title: string; doIt: string; text: string; body: SigningBody }>
type Question = keyof typeof questions

export function HookSigning({ signing }: { signing: boolean }) {
  const mayManage = useMay('manage')
  const client = useQueryClient()
  const [question, setQuestion] = useState<Question | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const changing = useMutation({
    mutationFn: (body: SigningBody) => write<SigningResult>('POST', '/api/hook/signing', body),
    onSuccess: (result) => {
      void client.invalidateQueries({ queryKey: ['hook'] })
      setQuestion(null)
      setSecret(result.signing_secret)
      if (!result.signing) toast('Signing is off.')
    },
  })
  const ask = (what: Question) => {
    changing.reset()
    setQuestion(what)
  }
  const asked = question === null ? null : questions[question]
  return (
    <Panel
      title="Signing"
      actions={
        signing ? (
          <Mark tone="good">On</Mark>
        ) : (
          <Mark tone="calm" icon="pause">
            Off
          </Mark>
        )
      }
    >
      <Text size="sm" c="dimmed" mb="sm">
        {signing
          ? 'Each request must be signed with the signing secret; a leaked URL alone places no calls.'
          : 'With signing on, a leaked URL alone places no calls. Your tool must be able to compute an HMAC.'}
      </Text>
      {mayManage && (
        <Group gap="xs">
          {signing ? (
            <>
              <Button variant="default" onClick={() => ask('rotate')}>
                Make a new secret
              </Button>
              <Button variant="default" onClick={() => ask('off')}>
                Switch off
              </Button>
            </>
          ) : (
            <Button variant="default" onClick={() => ask('on')}>
              Switch on
            </Button>
          )}
        </Group>
      )}
      {asked && (
        <Confirm
          title={asked.title}
          doIt={asked.doIt}
          doing="Changing it…"
          failure={changing.error}
          busy={changing.isPending}
          onConfirm={() => changing.mutate(asked.body)}
          onClose={() => setQuestion(null)}
        >
          {asked.text}
        </Confirm>
      )}
      {secret !== null && (
        <SecretDialog title="Your signing secret" name="signing secret" secret={secret} onSaved={() => setSecret(null)}>
          <Stack gap={4}>
            <Text size="sm">The whole text is the key, ins_ included. Signing is on.</Text>
            <Text size="sm">The recipe “Signing” below shows how to use it.</Text>
          </Stack>
        </SecretDialog>
      )}
    </Panel>
  )
}
