import { Panel } from '../../ui/panel.tsx'

export function BranchesSettings() {
  return <Panel title="Branches">{null}</Panel>
}
