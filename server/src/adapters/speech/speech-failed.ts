export type SpeechFailure = 'connection' | 'http' | 'refused' | 'timeout' | 'malformed' | 'closed'

/** A speech service did not do its work. Says how, and never what was said or which key was used. */
export class SpeechFailed extends Error {
  override readonly name = 'SpeechFailed'
  readonly failure: SpeechFailure
  readonly status: number | undefined
  constructor(service: string, failure: SpeechFailure, status?: number) {
    super(`${service} failed (${status === undefined ? failure : `${failure} ${status}`})`)
    this.failure = failure
    this.status = status
  }
}

/** Where a speech service is, and how it is asked. */
export type SpeechEndpoint = {
  url: string
  key?: string | undefined
  model: string
  voice?: string | undefined
}
