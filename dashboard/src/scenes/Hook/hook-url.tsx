import { Button, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { write } from '../../api.ts'
import { useMay } from '../../session.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'

interface HookUrlProps {
  urlStart: string
  /** Told on, so that the recipes can be filled in while this page is open. */
  onNewUrl: (url: string) => void
}

export function HookUrl({ urlStart, onNewUrl }: HookUrlProps) {
  const mayManage = useMay('manage')
  const client = useQueryClient()
  const [dialog, setDialog] = useState<'confirm' | { url: string } | null>(null)
  const replacing = useMutation({
    mutationFn: () => write<{ url: string }>('POST', '/api/hook/regenerate'),
    onSuccess: ({ url }) => {
      void client.invalidateQueries({ queryKey: ['hook'] })
      onNewUrl(url)
      setDialog({ url })
    },
  })
  const ask = () => {
    replacing.reset()
    setDialog('confirm')
  }
  return (
    <Panel title="Your URL">
      <Stack gap="sm" align="flex-start">
        <code className="hook-url">{urlStart}••••••••••••</code>
        <Text size="sm" c="dimmed">
          The end of it is a password: whoever has the URL can place calls on your credits. We keep only a fingerprint,
          so it is shown when it is made and never again.
        </Text>
        {mayManage && (
          <Button variant="default" onClick={ask}>
            Make a new URL
          </Button>
        )}
      </Stack>
      {dialog === 'confirm' && (
        <Confirm
          title="Make a new URL?"
          typed="new URL"
          doIt="Make a new URL"
          doing="Making it…"
          failure={replacing.error}
          busy={replacing.isPending}
          onConfirm={() => replacing.mutate()}
          onClose={() => setDialog(null)}
        >
          The old URL stops now. Every tool that uses it is refused until you give it the new one.
        </Confirm>
      )}
      {dialog !== null && dialog !== 'confirm' && (
        <SecretDialog title="Your new URL" name="hook URL" secret={dialog.url} onSaved={() => setDialog(null)}>
          <Text size="sm">The old URL no longer works. The recipes on this page have the new one until you leave.</Text>
        </SecretDialog>
      )}
    </Panel>
  )
}
