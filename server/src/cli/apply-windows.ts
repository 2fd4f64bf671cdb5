import { days } from '@parley/contract/appointment-slots'
import { servicesAt } from '../branches/branches.service.ts'
import { fault } from '../platform/errors.ts'
import { newWindowFaults } from '../slots/window.ts'
import { createWindow } from '../slots/windows.service.ts'
import { type ApplyContext, inOrder, lookUp } from './apply-changes.ts'
import type { ApplyFile } from './apply-file.ts'

/** One item of the file is a window on each of its days; without days, on every day. */
export async function applyWindows(
  context: ApplyContext,
  windows: ApplyFile['windows'] = [],
  branchIds: Map<string, string>,
) {
  const made = await inOrder(windows, async (each, i) => {
    const { branch, days: on = days, service, ...rest } = each
    const branchId = lookUp(branchIds, branch)
    const faults = newWindowFaults(rest).map((found) => ({ ...found, field: `windows.${i}.${found.field}` }))
    context.faults.push(...faults)
    if (!branchId || faults.length > 0) return []
    const serviceId = service === undefined ? undefined : await serviceIdAt(context, branchId, service)
    if (serviceId === null) {
      if (!context.named.has(service ?? ''))
        context.faults.push(fault(`windows.${i}.service`, 'not_found', `${service} is not offered at ${branch}.`))
      return []
    }
    return inOrder([...new Set(on)], async (day) => {
      const body = { ...rest, branch_id: branchId, day, ...(serviceId ? { appointment_type_id: serviceId } : {}) }
      const slot = await createWindow(context.tx, context.organisationId, body)
      return { branch, day, session: slot.session, slot_id: slot.slot_id }
    })
  })
  return made.flat()
}

async function serviceIdAt(context: ApplyContext, branchId: string, name: string): Promise<string | null> {
  const offered = await servicesAt(context.tx, context.organisationId, branchId)
  return offered.find((each) => each.name === name)?.appointmentTypeId ?? null
}
