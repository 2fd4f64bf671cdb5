import { parseArgs } from 'node:util'
import { closeFeed, feedUrl, openFeed } from '../appointments/feed.service.ts'
import { listBranchNames } from '../branches/branches.service.ts'
import { actor, type Command, CommandError, chosenOrganisation, printJson, withRuntime } from './command.ts'

/** `parley calendar feed`: the secret address under which calendar programs read a branch's appointments. */
export const calendar: Command = {
  usage: ['calendar feed BRANCH [--regenerate|--off] [--organisation ID]'],
  async run(words, config) {
    const { values, positionals } = parseArgs({
      args: words,
      allowPositionals: true,
      options: { organisation: { type: 'string' }, regenerate: { type: 'boolean' }, off: { type: 'boolean' } },
    })
    const [what, branch, ...rest] = positionals
    const { regenerate: renew = false, off = false } = values
    if (what !== 'feed' || branch === undefined || rest.length > 0 || (renew && off))
      throw new CommandError(`Say which branch: parley ${calendar.usage[0]}`)
    await withRuntime(config, async (runtime) => {
      const organisationId = await chosenOrganisation(runtime, values.organisation)
      const names = await listBranchNames(runtime.db, organisationId)
      const branchId = names.get(branch)
      if (!branchId) throw new CommandError(`There is no branch ${branch}. There are: ${[...names.keys()].join(', ')}.`)
      const asked = { organisationId, branchId, actor }
      if (off) return printJson({ branch, branch_id: branchId, closed: await closeFeed(runtime.db, asked) })
      const { token, since } = await openFeed(runtime.db, asked, { renew })
      // Only its hash is stored: an address that exists already cannot be told again.
      if (token === null) process.stderr.write('The address was shown when it was made. --regenerate makes another.\n')
      printJson({ branch, branch_id: branchId, url: token && feedUrl(config.baseUrl, token), since })
    })
    return 0
  },
}
