import { Checkbox, NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { srtpModes, trunkTransports } from '@parley/contract/trunks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { write } from '../../api.ts'
import { faultsOf } from '../../form-faults.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { toast } from '../../ui/toast.ts'

const start = { name: '', host: '', port: '', transport: 'udp', user: '', password: '', callerId: '', srtp: 'off' }
type Draft = typeof start

/** What was left empty is left to the server's own rules. */
const given = (name: string, text: string) => (text.trim() === '' ? {} : { [name]: text.trim() })
const bodyOf = (draft: Draft, register: boolean) => ({
  name: draft.name.trim(),
  host: draft.host.trim(),
  transport: draft.transport,
  srtp: draft.srtp,
  register,
  ...(draft.port.trim() === '' ? {} : { port: Number(draft.port) }),
  ...given('user', draft.user),
  ...given('password', draft.password),
  ...given('caller_id', draft.callerId),
})
const fields = ['name', 'host', 'port', 'transport', 'user', 'password', 'caller_id', 'srtp']

/** Rendered while it is open. */
export function TrunkDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [draft, setDraft] = useState(start)
  const [register, setRegister] = useState(false)
  const saving = useMutation({
    mutationFn: () => write('POST', '/api/trunks', bodyOf(draft, register)),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['trunks'] })
      toast('The trunk is added. Test it now.')
      onClose()
    },
  })
  const faults = faultsOf(saving.error)
  const field = (name: keyof Draft, wire: string = name) => ({
    value: draft[name],
    error: faults[wire],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setDraft((before) => ({ ...before, [name]: value }))
    },
  })
  return (
    <FormDialog
      title="Add a trunk"
      doIt="Add the trunk"
      doing="Adding…"
      busy={saving.isPending}
      failure={saving.error}
      fields={fields}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <TextInput label="Name" data-autofocus {...field('name')} />
      <TextInput label="Host" description="As your carrier gives it, such as sip.carrier.example." {...field('host')} />
      <NativeSelect label="Transport" data={[...trunkTransports]} {...field('transport')} />
      <TextInput label="Port" description="Empty: the usual one." inputMode="numeric" {...field('port')} />
      <TextInput label="User" autoComplete="off" {...field('user')} />
      <PasswordInput
        label="Password"
        description="Stored encrypted, never shown again."
        autoComplete="new-password"
        {...field('password')}
      />
      <TextInput
        label="Caller ID"
        description="Shown instead of the number that calls."
        {...field('callerId', 'caller_id')}
      />
      <NativeSelect label="Encrypted sound (SRTP)" data={[...srtpModes]} {...field('srtp')} />
      <Checkbox
        label="The carrier wants us to register"
        checked={register}
        onChange={(event) => setRegister(event.currentTarget.checked)}
      />
    </FormDialog>
  )
}
