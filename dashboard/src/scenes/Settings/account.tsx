import { Panel } from '../../ui/panel.tsx'

export function AccountSettings() {
  return <Panel title="Account">{null}</Panel>
}
