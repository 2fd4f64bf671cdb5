import { Panel } from '../../ui/panel.tsx'

export function DoNotCallSettings() {
  return <Panel title="Do not call">{null}</Panel>
}
