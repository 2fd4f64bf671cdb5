import { type Command, printJson, withRuntime } from './command.ts'

/** Opening the runtime brings the database up to date; this does only that, for deployments that want it apart. */
export const migrateCommand: Command = {
  usage: ['migrate                    bring the database up to date'],
  async run(_words, config) {
    await withRuntime(config, async ({ migrations }) => printJson({ migrations: migrations.map((each) => each.name) }))
    return 0
  },
}
