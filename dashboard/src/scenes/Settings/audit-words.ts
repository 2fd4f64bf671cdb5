// What the audit log says, for people.
import { labelOf } from '../../label-of.ts'

const actions: Record<string, string> = {
  'account.others_signed_out': 'Signed out everywhere else',
  'account.password_changed': 'Changed their password',
  'agent.archived': 'Archived an agent',
  'agent.changed': 'Changed an agent',
  'agent.created': 'Created an agent',
  'agent.restored': 'Restored an agent',
  'call.erased': 'Erased a call',
  'do_not_call.added': 'Added numbers to the do-not-call list',
  'do_not_call.removed': 'Took a number off the do-not-call list',
  'feed.closed': 'Closed a calendar feed',
  'feed.opened': 'Opened a calendar feed',
  'invitation.accepted': 'Accepted an invitation',
  'invitation.created': 'Invited somebody',
  'invitation.revoked': 'Took an invitation back',
  'member.made_admin': 'Made a member admin',
  'member.made_owner': 'Made a member owner',
  'member.made_staff': 'Made a member staff',
  'member.made_viewer': 'Made a member viewer',
  'member.removed': 'Removed a member',
  'number.added': 'Added a phone number',
  'number.changed': 'Changed a phone number',
  'organisation.changed': 'Changed the organisation',
  'share.renewed': 'Renewed a share link',
  'share.revoked': 'Closed a share link',
  'share.revoked_all': 'Closed every share link',
  'sharing.off': 'Switched sharing off',
  'sharing.on': 'Switched sharing on',
  'webhook_delivery.replayed': 'Sent a delivery again',
  'webhook_endpoint.changed': 'Changed an endpoint',
  'webhook_endpoint.created': 'Registered an endpoint',
  'webhook_endpoint.deleted': 'Deleted an endpoint',
  'webhook_endpoint.disabled': 'Switched an endpoint off',
  'webhook_endpoint.enabled': 'Switched an endpoint on',
  'webhook_recovery.cancelled': 'Stopped a recovery',
  'webhook_recovery.started': 'Started a recovery',
}

/** An action nobody has put into words yet is still readable. */
export function actionWords(action: string): string {
  const known = actions[action]
  if (known) return known
  const [area = '', ...rest] = action.split('.')
  return rest.length === 0 ? labelOf(area) : `${labelOf(area)}: ${rest.join(' ').replaceAll('_', ' ')}`
}

export const areas: readonly { value: string; label: string }[] = [
  { value: '', label: 'Everything' },
  { value: 'call', label: 'Calls' },
  { value: 'agent', label: 'Agents' },
  { value: 'number', label: 'Numbers' },
  { value: 'api_key', label: 'API keys' },
  { value: 'webhook_endpoint', label: 'Webhook endpoints' },
  { value: 'inbound', label: 'Inbound hook' },
  { value: 'sharing', label: 'Sharing' },
  { value: 'do_not_call', label: 'Do not call' },
  { value: 'member', label: 'Members' },
  { value: 'invitation', label: 'Invitations' },
  { value: 'account', label: 'Accounts' },
  { value: 'organisation', label: 'Organisation' },
]

/** Who, where it is no member with an address. */
export function actorWords(actor: string): string {
  if (actor.startsWith('key_')) return 'An API key'
  if (actor.startsWith('usr_')) return 'Somebody who left'
  return labelOf(actor)
}
