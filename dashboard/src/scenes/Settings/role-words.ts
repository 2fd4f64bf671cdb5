import type { Role } from '@parley/contract/common'

export const roleWords: Record<Role, { label: string; text: string }> = {
  owner: { label: 'Owner', text: 'Everything, owners included.' },
  admin: { label: 'Admin', text: 'Everything but owners.' },
  staff: { label: 'Staff', text: 'Calls, calendar and appointments. No set-up, no erasing.' },
  viewer: { label: 'Viewer', text: 'Looks at everything, changes nothing.' },
}

/** Only an owner touches owners. */
export const rolesFor = (mine: Role): Role[] =>
  mine === 'owner' ? ['owner', 'admin', 'staff', 'viewer'] : ['admin', 'staff', 'viewer']

export const mayTouch = (mine: Role, theirs: Role): boolean =>
  mine === 'owner' || (mine === 'admin' && theirs !== 'owner')
