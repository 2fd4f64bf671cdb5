import { setTimeout as sleep } from 'node:timers/promises'

const limitMs = 60_000
const pollMs = 25

export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  more: () => string = () => '',
): Promise<void> {
  const limit = Date.now() + limitMs
  while (!(await isSo())) {
    if (Date.now() > limit) throw new Error(`Waited ${limitMs / 1_000} seconds in vain for ${what}.${more()}`)
    await sleep(pollMs)
  }
}
