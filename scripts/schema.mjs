// npm run schema: writes server/schema.sql from the migrations.
import { install, run } from './prepare.mjs'

install()
run('npx', ['--no-install', 'vitest', 'run', '--project', 'fast', 'server/test/schema.test.ts'], {
  quiet: true,
  env: { PARLEY_WRITE_SCHEMA: 'yes' },
})
