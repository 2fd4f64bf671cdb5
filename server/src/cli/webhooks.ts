import { webhookParts } from '../main.ts'
import {
  changeEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  registerEndpoint,
} from '../webhooks/endpoints.service.ts'
import { sendTestEvent } from '../webhooks/example-event.ts'
import { rotateSecret, settleRotation } from '../webhooks/rotate-secret.ts'
import { endpointView, exchangeView } from '../webhooks/webhook-views.ts'
import { actor, type Command, CommandError, chosenOrganisation, printJson, withRuntime } from './command.ts'
import { deliveryActions } from './webhook-deliveries.ts'
import {
  parseWebhookOptions,
  readEvent,
  readEvents,
  type WebhookAction,
  type WebhookOptions,
} from './webhook-options.ts'

const withoutId: ReadonlySet<string> = new Set(['list', 'create', 'deliveries'])
const longestDescription = 200

/** `parley webhooks …`: endpoints, and what was sent to them. Secrets are printed once, when they are made. */
export const webhooks: Command = {
  usage: [
    'webhooks list [--organisation ID]',
    'webhooks create --url URL [--events "*"|call.completed,…] [--description TEXT] [--signing on|off]',
    'webhooks update ENDPOINT_ID [--url URL] [--events …] [--description TEXT] [--signing on|off]',
    'webhooks enable|disable|delete ENDPOINT_ID',
    'webhooks rotate ENDPOINT_ID [--staged]; then activate|discard ENDPOINT_ID',
    'webhooks test ENDPOINT_ID [--event TYPE] [--staged]',
    'webhooks deliveries [--endpoint ID] [--status failed] [--event TYPE] [--limit N]',
    'webhooks delivery|replay DELIVERY_ID',
    'webhooks recover ENDPOINT_ID --since TIME [--until TIME] [--dry-run]; then recovery RECOVERY_ID [--cancel]',
  ],
  async run(words, config) {
    const { values, positionals } = parseWebhookOptions(words)
    const [name = '', id = ''] = positionals
    const action = { ...endpointActions, ...deliveryActions }[name]
    if (!action) throw new CommandError(`Say what to do:\n${usageOf('')}`)
    if (!withoutId.has(name) && id === '') throw new CommandError(`Say which, by its id:\n${usageOf(name)}`)
    await withRuntime(config, async (runtime) => {
      const organisationId = await chosenOrganisation(runtime, values.organisation)
      const parts = webhookParts(config, runtime)
      try {
        printJson(await action(parts, organisationId, values, id))
      } finally {
        await parts.safePost.close()
      }
    })
    return 0
  },
}

const usageOf = (name: string): string =>
  webhooks.usage
    .filter((each) => each.includes(name))
    .map((each) => `  parley ${each}`)
    .join('\n')

const switchTo =
  (status: 'enabled' | 'disabled'): WebhookAction =>
  async (parts, organisationId, _given, id) =>
    endpointView(await changeEndpoint(parts, organisationId, id, { status }, actor))

const settle =
  (what: 'activate' | 'discard'): WebhookAction =>
  async ({ db }, organisationId, _given, id) => {
    await settleRotation(db, organisationId, id, what, actor)
    return endpointView(await getEndpoint(db, organisationId, id))
  }

const endpointActions: Record<string, WebhookAction> = {
  list: async ({ db }, organisationId) => (await listEndpoints(db, organisationId)).map(endpointView),
  create: async (parts, organisationId, given) => {
    if (given.url === undefined) throw new CommandError('Say where to: --url https://…')
    const { events = ['*'], signing = true, description = null } = readChange(given)
    const made = { url: given.url, description, events, signing }
    const { endpoint, secret } = await registerEndpoint(parts, organisationId, made, actor)
    return { ...endpointView(endpoint), secret }
  },
  update: async (parts, organisationId, given, id) => {
    const change = readChange(given)
    if (Object.keys(change).length === 0) throw new CommandError(`Say what to change:\n${usageOf('update')}`)
    return endpointView(await changeEndpoint(parts, organisationId, id, change, actor))
  },
  enable: switchTo('enabled'),
  disable: switchTo('disabled'),
  delete: async ({ db }, organisationId, _given, id) => {
    await deleteEndpoint(db, organisationId, id, actor)
    return { endpoint_id: id, deleted: true }
  },
  rotate: async (parts, organisationId, given, id) => {
    const { secret } = await rotateSecret(parts, organisationId, id, given.staged ? 'staged' : 'now', actor)
    return { endpoint_id: id, secret, active: !given.staged }
  },
  activate: settle('activate'),
  discard: settle('discard'),
  test: async (parts, organisationId, given, id) => {
    const type = readEvent(given.event) ?? 'call.completed'
    const sent = await sendTestEvent(parts, organisationId, id, { type, secret: given.staged ? 'next' : 'current' })
    return { event_id: sent.eventId, ...exchangeView(sent) }
  },
}

function readChange(given: WebhookOptions) {
  const events = readEvents(given.events)
  if (given.signing !== undefined && !['on', 'off'].includes(given.signing)) {
    throw new CommandError('--signing takes on or off.')
  }
  if (given.description !== undefined && given.description.length > longestDescription) {
    throw new CommandError(`--description takes at most ${longestDescription} characters.`)
  }
  return {
    ...(given.url === undefined ? {} : { url: given.url }),
    ...(events ? { events } : {}),
    ...(given.description === undefined ? {} : { description: given.description || null }),
    ...(given.signing === undefined ? {} : { signing: given.signing === 'on' }),
  }
}
