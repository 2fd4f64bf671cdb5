import { Worker } from 'node:worker_threads'

export type Thread<Request, Answer> = {
  /** One question at a time. A thread that fails, takes too long or is not wanted any more is ended; the next question starts another. */
  ask(request: Request, signal: AbortSignal): Promise<Answer>
}

/** A worker thread that is started when it is needed and never keeps the process alive by itself. */
export function createThread<Request, Answer>(options: {
  code: string
  data: unknown
  timeLimitMs: number
}): Thread<Request, Answer> {
  let current: Worker | null = null

  function start(): Worker {
    const worker = new Worker(options.code, { eval: true, workerData: options.data, execArgv: [] })
    // Between questions nobody listens, and an error nobody listens to would end the process.
    worker.on('error', () => {})
    worker.once('exit', () => {
      if (current === worker) current = null
    })
    return worker
  }

  return {
    async ask(request, signal) {
      signal.throwIfAborted()
      current ??= start()
      const worker = current
      worker.ref()
      try {
        return await answerOf<Answer>(worker, request, signal, options.timeLimitMs)
      } catch (error) {
        current = null
        void worker.terminate()
        throw error
      } finally {
        worker.unref()
      }
    },
  }
}

function answerOf<Answer>(worker: Worker, request: unknown, signal: AbortSignal, timeLimitMs: number): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
    const settle = (done: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      done()
    }
    const onMessage = (answer: Answer) => settle(() => resolve(answer))
    const onError = (error: unknown) => settle(() => reject(error))
    const onExit = () => onError(new Error('The worker thread ended before it answered'))
    const onAbort = () => onError(signal.reason)
    const timer = setTimeout(() => onError(new Error('The worker thread took too long')), timeLimitMs)
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    signal.addEventListener('abort', onAbort)
    worker.postMessage(request)
  })
}
