import { Group, Stack, TextInput } from '@mantine/core'
import type { OrganisationSettings as Organisation } from '@parley/contract/organisation'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { read, write } from '../../api.ts'
import { explain } from '../../explain.ts'
import { faultsOf, hasOtherFaults } from '../../form-faults.ts'
import { useMay } from '../../session.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { CopyId } from '../../ui/copy-id.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toast } from '../../ui/toast.ts'
import { Credits } from './credits.tsx'
import { Plan } from './plan.tsx'
import { zoneNames } from './zones.ts'

function OrganisationForm({ organisation }: { organisation: Organisation }) {
  const client = useQueryClient()
  const [name, setName] = useState(organisation.name)
  const [timezone, setTimezone] = useState(organisation.timezone)
  const saving = useMutation({
    mutationFn: () => write('PATCH', '/api/organisation', { name: name.trim(), timezone: timezone.trim() }),
    onSuccess: async () => {
      // Every time on every page is shown in this zone.
      await client.invalidateQueries()
      toast('Saved.')
    },
  })
  const faults = faultsOf(saving.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!saving.isPending) saving.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {hasOtherFaults(saving.error, ['name', 'timezone']) && <FailureNote explanation={explain(saving.error)} />}
        <TextInput
          label="Name"
          value={name}
          error={faults.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Time zone"
          description="Times are shown in it, and days begin in it. Branches have zones of their own."
          value={timezone}
          error={faults.timezone}
          list="zones"
          onChange={(event) => setTimezone(event.currentTarget.value)}
        />
        <datalist id="zones">
          {zoneNames().map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        <Group>
          <BusyButton type="submit" busy={saving.isPending} busyWords="Saving…">
            Save
          </BusyButton>
        </Group>
      </Stack>
    </form>
  )
}

export function OrganisationSettings() {
  const mayManage = useMay('manage')
  const organisation = useQuery({
    queryKey: ['organisation'],
    queryFn: ({ signal }) => read<Organisation>('/api/organisation', {}, signal),
  })
  return (
    <>
      <Panel title="Organisation">
        <Loaded query={organisation}>
          {(found) => (
            <>
              {mayManage ? (
                <OrganisationForm organisation={found} />
              ) : (
                <Facts>
                  <Fact name="Name">{found.name}</Fact>
                  <Fact name="Time zone">{found.timezone}</Fact>
                  <Fact name="Who changes this">Owners and admins</Fact>
                </Facts>
              )}
              <Facts>
                <Fact name="Organisation ID">
                  <CopyId id={found.organisation_id} label="organisation ID" />
                </Fact>
              </Facts>
            </>
          )}
        </Loaded>
      </Panel>
      <Plan />
      <Credits />
    </>
  )
}
