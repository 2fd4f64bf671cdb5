import { parseArgs } from 'node:util'
import { inboundUrl, regenerateInboundToken } from '../organisations/organisations.service.ts'
import { type Command, CommandError, chosenOrganisation, printJson, withRuntime } from './command.ts'

/** `parley hook regenerate`: a new secret URL; the old one stops at once, on every node. */
export const hook: Command = {
  usage: ['hook regenerate [--organisation ID]'],
  async run(words, config) {
    const { values, positionals } = parseArgs({
      args: words,
      allowPositionals: true,
      options: { organisation: { type: 'string' } },
    })
    if (positionals[0] !== 'regenerate') throw new CommandError(`Say what to do: parley ${hook.usage[0]}`)
    await withRuntime(config, async (runtime) => {
      const organisationId = await chosenOrganisation(runtime, values.organisation)
      const token = await regenerateInboundToken(runtime.db, organisationId)
      printJson({ organisation_id: organisationId, inbound: { url: inboundUrl(config.baseUrl, token), token } })
    })
    return 0
  },
}
