import type { Endpoint } from '@parley/contract/webhooks'
import { useState } from 'react'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { bodyOf, EndpointForm, endpointFields } from './endpoint-form.tsx'
import type { EventChoice } from './event-picker.tsx'
import { endpointPath, useWebhookChange } from './webhook-queries.ts'

export function EditEndpoint({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const { endpoint_id, url, description, events, signing } = endpoint
  const [before] = useState({ url, description: description ?? '', events: events as EventChoice, signing })
  const [fields, setFields] = useState(before)
  const saving = useWebhookChange(() => {
    toast('Saved. It counts from the next attempt on.')
    onClose()
  })
  const save = () => {
    // Only what was changed: naming the events again would begin the subscription anew.
    const [old, now] = [bodyOf(before), bodyOf(fields)]
    const names = endpointFields.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
    if (names.length === 0) return onClose()
    const body = Object.fromEntries(names.map((name) => [name, now[name]]))
    saving.mutate({ method: 'PATCH', path: endpointPath(endpoint_id), body })
  }
  return (
    <FormDialog
      title="Edit the endpoint"
      doIt="Save"
      doing="Saving…"
      busy={saving.isPending}
      failure={saving.error}
      fields={endpointFields}
      onSubmit={save}
      onClose={onClose}
    >
      <EndpointForm value={fields} failure={saving.error} onChange={setFields} />
    </FormDialog>
  )
}
