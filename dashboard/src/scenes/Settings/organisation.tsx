import { Panel } from '../../ui/panel.tsx'

export function OrganisationSettings() {
  return <Panel title="Organisation">{null}</Panel>
}
