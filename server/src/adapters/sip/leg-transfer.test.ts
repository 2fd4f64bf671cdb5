import { expect, it } from 'vitest'
import type { TransferOutcome } from './call.ts'
import { transferOn } from './leg-transfer.ts'

const to = '+15005550009'
const never = new AbortController().signal

function callThat(refer: (number: string) => Promise<TransferOutcome>) {
  const done: string[] = []
  const refusals: (number | null)[] = []
  const call = {
    refer: (number: string) => {
      done.push(`refer ${number}`)
      return refer(number)
    },
    hangup: async () => void done.push('hangup'),
  }
  return { transfer: transferOn(call, (status) => refusals.push(status)), done, refusals }
}

it.each([
  ['connected', 200, 'transferred'],
  ['accepted', null, 'transferred'],
  ['refused', 603, 'refused'],
  ['refused', null, 'refused'],
] as const)('%s (%s) is %s', async (outcome, status, meaning) => {
  const { transfer, done, refusals } = callThat(async () => ({ outcome, status }))
  expect(await transfer(to, never)).toBe(meaning)
  expect(refusals).toEqual(meaning === 'refused' ? [status] : [])
  expect(done).toEqual([`refer ${to}`])
})

it('nobody is asked once it was given up', async () => {
  const { transfer, done } = callThat(async () => ({ outcome: 'connected', status: 200 }))
  expect(await transfer(to, AbortSignal.abort())).toBe('refused')
  expect(done).toEqual([])
})

it('given up is refused; a colleague who answers later has the line to themselves', async () => {
  let answer = (_outcome: TransferOutcome) => {}
  const later = new Promise<TransferOutcome>((resolve) => {
    answer = resolve
  })
  const { transfer, done } = callThat(() => later)
  const givingUp = new AbortController()
  const transferring = transfer(to, givingUp.signal)
  givingUp.abort()
  expect(await transferring).toBe('refused')
  answer({ outcome: 'connected', status: 200 })
  await expect.poll(() => done).toEqual([`refer ${to}`, 'hangup'])
})
