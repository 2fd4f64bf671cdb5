import type { Log } from '../../platform/log.ts'
import { createMediaPool, type MediaPool } from '../rtp/pool.ts'
import { createUserAgent, type UserAgent, type UserAgentOptions } from './user-agent.ts'

export type Lines = { agent: UserAgent; media: MediaPool }
type LinesOptions = Omit<UserAgentOptions, 'publicAddress' | 'timing'> & {
  publicAddress?: string | undefined
  timing?: UserAgentOptions['timing'] | undefined
  log: Log
  rtpPorts: readonly [number, number]
  mediaWorkers?: number | undefined
}

/** Signalling and sound, opened together when they are first needed. A failure to open is not kept. */
export function createLines(options: LinesOptions) {
  let opening: Promise<Lines> | null = null
  let current: Lines | null = null
  const open = (): Promise<Lines> => {
    opening ??= openBoth(options).then(
      (lines) => {
        current = lines
        return lines
      },
      (error: unknown) => {
        opening = null
        throw error
      },
    )
    return opening
  }
  return {
    open,
    /** Null while nothing listens. */
    current: () => current,
    /** Ends every call; the sound goes when `then` is through. */
    close: async (then: () => Promise<unknown>) => {
      const lines = await opening?.catch(() => null)
      await lines?.agent.close()
      await then()
      await lines?.media.close()
    },
  }
}

async function openBoth(options: LinesOptions): Promise<Lines> {
  const { publicAddress, timing, rtpPorts, mediaWorkers, log, ...rest } = options
  const media = await createMediaPool({
    host: options.listen.host,
    ports: rtpPorts,
    ...(mediaWorkers ? { workers: mediaWorkers } : {}),
    onWorkerDeath: () => log.error('a media thread ended; its lines are lost, another takes its place'),
  })
  try {
    const more = { ...(publicAddress ? { publicAddress } : {}), ...(timing ? { timing } : {}) }
    return { agent: await createUserAgent({ ...rest, ...more, log }), media }
  } catch (error) {
    await media.close()
    throw error
  }
}
