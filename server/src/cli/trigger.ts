import { parseArgs } from 'node:util'
import { type EventType, eventTypeNames } from '@parley/contract/events'
import { triggerEvent } from '../webhooks/example-event.ts'
import { type Command, CommandError, chosenOrganisation, printJson, withRuntime } from './command.ts'

/** `parley trigger call.completed`: an event with example data, which travels like a real one. */
export const trigger: Command = {
  usage: ['trigger EVENT_TYPE [--organisation ID]    make an event with example data'],
  async run(words, config) {
    const { values, positionals } = parseArgs({
      args: words,
      allowPositionals: true,
      options: { organisation: { type: 'string' } },
    })
    const type = positionals[0] as EventType
    if (!eventTypeNames.includes(type)) throw new CommandError(`Say which event: ${eventTypeNames.join(', ')}.`)
    await withRuntime(config, async (runtime) => {
      const organisationId = await chosenOrganisation(runtime, values.organisation)
      printJson({ event_id: await triggerEvent(runtime.db, organisationId, type), event_type: type })
    })
    return 0
  },
}
