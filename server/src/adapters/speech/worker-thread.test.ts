import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createThread } from './worker-thread.ts'

const never = new AbortController().signal
const code = `
  const { parentPort, threadId } = require('node:worker_threads')
  parentPort.on('message', (request) => {
    if (request === 'fail') throw new Error('it broke')
    if (request === 'leave') process.exit(0)
    if (request === 'hang') for (;;);
    if (request === 'fail later') setTimeout(() => { throw new Error('late') }, 20)
    parentPort.postMessage(threadId)
  })`
const newThread = (timeLimitMs = 20_000) => createThread<string, number>({ code, data: null, timeLimitMs })

describe('a worker thread', () => {
  it('answers one question after the other', async () => {
    const thread = newThread()
    expect(await thread.ask('who', never)).toBe(await thread.ask('who', never))
  })

  it.each([
    ['fail', 'it broke'],
    ['leave', 'ended before it answered'],
  ])('passes on its end (%s), and the next question has another', async (request, message) => {
    const thread = newThread()
    const first = await thread.ask('who', never)
    await expect(thread.ask(request, never)).rejects.toThrow(message)
    expect(await thread.ask('who', never)).not.toBe(first)
  })

  it('is replaced when it fails between two questions', async () => {
    const thread = newThread()
    const first = await thread.ask('fail later', never)
    await sleep(200)
    expect(await thread.ask('who', never)).not.toBe(first)
  })

  it('is ended in the middle of endless work: by the signal, or when it takes too long', async () => {
    const stopping = new AbortController()
    const thread = newThread()
    const hanging = thread.ask('hang', stopping.signal)
    setTimeout(() => stopping.abort(new Error('enough')), 50)
    await expect(hanging).rejects.toThrow('enough')
    expect(await thread.ask('who', never)).toBeGreaterThan(0)
    await expect(newThread(200).ask('hang', never)).rejects.toThrow('too long')
    await expect(thread.ask('who', stopping.signal)).rejects.toThrow('enough')
  })

  it('tells what is wrong with code that does not start', async () => {
    const thread = createThread<string, number>({ code: 'nonsense(', data: null, timeLimitMs: 20_000 })
    await expect(thread.ask('who', never)).rejects.toThrow(SyntaxError)
  })
})
