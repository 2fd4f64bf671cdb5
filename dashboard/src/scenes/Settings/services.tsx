import { Panel } from '../../ui/panel.tsx'

export function ServicesSettings() {
  return <Panel title="Services">{null}</Panel>
}
