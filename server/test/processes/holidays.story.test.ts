import { expect, it } from 'vitest'
import { createTestDatabase } from '../database.ts'
import { apply, makeFolder, parley } from './process.ts'

it('parley holidays adds, lists and removes days on which a branch is closed', async () => {
  const { url } = await createTestDatabase({ template: false })
  const env = {
    DATABASE_URL: url,
    PARLEY_SECRET_KEY: 'a secret for this test',
    PARLEY_DATA_DIR: await makeFolder(),
    LOG_LEVEL: 'error',
  }
  await apply({ organisation: { name: 'Closed' }, branches: [{ name: 'Main' }] }, env)
  const weeks = ['--from', '2026-12-21', '--to', '2027-01-10']
  const added = await parley(['holidays', 'add', '--branch', 'Main', ...weeks, '--reason', 'Winter'], env)
  const holiday = JSON.parse(added.stdout)
  expect(holiday).toMatchObject({ branch: 'Main', start_date: '2026-12-21', end_date: '2027-01-10', reason: 'Winter' })
  expect(JSON.parse((await parley(['holidays', 'list'], env)).stdout)).toEqual([holiday])
  const wrong = await parley(['holidays', 'add', '--branch', 'Main', '--from', '2026-02-30'], env)
  expect([wrong.code, wrong.stdout]).toEqual([1, ''])
  expect(wrong.stderr).toContain('start_date')
  const nowhere = await parley(['holidays', 'add', '--branch', 'West', '--from', '2026-12-21'], env)
  expect(nowhere.stderr).toContain('There is no branch West')
  await parley(['holidays', 'remove', holiday.holiday_id], env)
  expect(JSON.parse((await parley(['holidays', 'list', '--branch', 'Main'], env)).stdout)).toEqual([])
})
