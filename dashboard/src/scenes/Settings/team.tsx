import { Panel } from '../../ui/panel.tsx'

export function TeamSettings() {
  return <Panel title="Team">{null}</Panel>
}
