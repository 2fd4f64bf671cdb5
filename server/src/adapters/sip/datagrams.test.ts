import { expect, it } from 'vitest'
import { addressTowards } from './datagrams.ts'
import { TransportError } from './peer.ts'

it('the address towards another is one of this machine', async () => {
  expect(await addressTowards('127.0.0.1')).toBe('127.0.0.1')
})

it('where there is no way to, there is no address: 0.0.0.0 never stands in a Contact', async () => {
  // Nobody may connect to everybody: the system refuses it on every machine.
  await expect(addressTowards('255.255.255.255')).rejects.toBeInstanceOf(TransportError)
})
