import { expect, it } from 'vitest'
import { timeZones } from './time-zones.ts'

it('zones are found under the names of today, each once, with the one in use', () => {
  const zones = timeZones('Etc/GMT+12')
  for (const zone of ['Asia/Kolkata', 'America/New_York', 'UTC', 'Etc/GMT+12']) expect(zones).toContain(zone)
  expect(zones).not.toContain('Asia/Calcutta')
  expect(new Set(zones).size).toBe(zones.length)
})
