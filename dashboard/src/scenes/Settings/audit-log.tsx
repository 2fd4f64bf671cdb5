import { Panel } from '../../ui/panel.tsx'

export function AuditLogSettings() {
  return <Panel title="Audit log">{null}</Panel>
}
