import { Panel } from '../../ui/panel.tsx'

export function HolidaysSettings() {
  return <Panel title="Holidays">{null}</Panel>
}
