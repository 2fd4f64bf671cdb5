import type { Config } from '../config.ts'
import { startServer } from '../main.ts'
import { theOnlyOrganisation } from '../organisations/organisations.service.ts'
import { createLog } from '../platform/log.ts'
import type { Command } from './command.ts'
import { makeDemo } from './demo.ts'

const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** Runs until it is told to stop. */
export const start: Command = {
  usage: ['start                      run the service'],
  async run(_words, config) {
    const log = createLog(config.logLevel)
    const stopped = untilStopped()
    const server = await startServer(config, log, say)
    const isFirst = server.runtime.embedded && (await theOnlyOrganisation(server.runtime.db)) === 'none'
    say(whereItIs(server.url, config))
    if (isFirst && config.demo) say(await makeDemo(server.runtime, server.url, config))
    say('Press Ctrl-C to stop.')
    await stopped
    say('Stopping…')
    await server.stop()
    log.flush()
    return 0
  },
}

const whereItIs = (url: string, config: Config): string => `
Parley is running at ${url}

  Dashboard       ${config.baseUrlIsOwn ? url : config.dashboardUrl}
  API reference   ${url}/docs
  Data            ${config.databaseUrl ? 'the PostgreSQL server of DATABASE_URL' : config.dataDir}
`

/** A second signal ends the process at once; what was committed stays, and the next start recovers. */
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(1)
        asked = true
        resolve()
      })
    }
  })
}
