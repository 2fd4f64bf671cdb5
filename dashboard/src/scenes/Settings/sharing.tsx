import { Panel } from '../../ui/panel.tsx'

export function SharingSettings() {
  return <Panel title="Sharing">{null}</Panel>
}
