import { Alert, Group, Stack, Text, Textarea } from '@mantine/core'
import { type AddedNumbers, mostNumbersAtOnce } from '@parley/contract/do-not-call'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { write } from '../../api.ts'
import { explain } from '../../explain.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Mark } from '../../ui/mark.tsx'
import { toast } from '../../ui/toast.ts'
import { counted } from '../Home/call-words.ts'
import { readLines } from './number-lines.ts'

const mostFaultsShown = 20

/** Rendered while it is open. */
export function AddNumbers({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [text, setText] = useState('')
  const { good, faulty } = readLines(text)
  const isTooMany = good.length > mostNumbersAtOnce
  const adding = useMutation({
    mutationFn: () => write<AddedNumbers>('POST', '/api/do-not-call', { numbers: good }),
    onSuccess: async ({ added, already_there }) => {
      await client.invalidateQueries({ queryKey: ['do-not-call'] })
      toast(`${counted(added, 'number')} added${already_there > 0 ? `, ${already_there} were there already` : ''}.`)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (good.length > 0 && !isTooMany && !adding.isPending) adding.mutate()
  }
  return (
    <Dialog onClose={onClose} title="Add numbers" centered size="lg">
      <form onSubmit={submit}>
        <Stack gap="md">
          {adding.error && <FailureNote explanation={explain(adding.error)} />}
          <Textarea
            label="Numbers"
            description="One on each line, with country code. Paste as many as you like."
            data-autofocus
            autosize
            minRows={5}
            maxRows={12}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          {faulty.length > 0 && (
            <Alert role="status">
              <Mark tone="warn">{counted(faulty.length, 'line')} cannot be read</Mark>
              <ul className="faulty-lines">
                {faulty.slice(0, mostFaultsShown).map((each) => (
                  <li key={`${each.line} ${each.text}`}>
                    Line {each.line}: <code>{each.text}</code> – {each.reason}
                  </li>
                ))}
              </ul>
              {faulty.length > mostFaultsShown && <Text size="sm">and {faulty.length - mostFaultsShown} more</Text>}
            </Alert>
          )}
          {isTooMany && <Text c="var(--bad)">At most {mostNumbersAtOnce.toLocaleString('en')} at once.</Text>}
          <Group justify="flex-end">
            <BusyButton
              type="submit"
              busy={adding.isPending}
              busyWords="Adding…"
              disabled={good.length === 0 || isTooMany}
            >
              {faulty.length > 0 ? `Add the ${good.length} good ones` : `Add ${counted(good.length, 'number')}`}
            </BusyButton>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
