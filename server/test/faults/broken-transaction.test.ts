import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openDatabase } from '../../src/platform/db.ts'
import { createTestDatabase } from '../database.ts'
import { createWire } from './proxy.ts'

it('a connection that breaks between two statements of a transaction does not end the process', async () => {
  const { url } = await createTestDatabase()
  const wire = await createWire(url)
  const db = openDatabase({ url: wire.url, applicationName: 'broken' })
  const broken = db.transaction(async (tx) => {
    await tx.query('select 1')
    await wire.cut()
    // Nobody is asking anything when the connection goes: the error has nobody to be told to.
    await sleep(100)
    return tx.query('select 1')
  })
  await expect(broken).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await wire.mend()
  expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
  await db.close()
  wire.close()
})
