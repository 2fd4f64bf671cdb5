import type { Config } from '../config.ts'
import { type RunningServer, startServer } from '../main.ts'
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
    say(whereItIs(server.url, config))
    if (server.runtime.embedded && config.demo) await offerDemo(server, config)
    say('Press Ctrl-C to stop.')
    await stopped
    say('Stopping…')
    await server.stop()
    log.flush()
    return 0
  },
}

// Any number no other lock has.
const demoLock = 7_275_397

/** Once, on an empty database, though several servers may be starting on it. */
const offerDemo = ({ runtime, url }: RunningServer, config: Config): Promise<void> =>
  runtime.db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [demoLock])
    if ((await theOnlyOrganisation(tx)) === 'none') say(await makeDemo(runtime, url, config))
  })

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
