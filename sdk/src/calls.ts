import type {
  Call,
  CallList,
  CallStatus,
  CancelledCall,
  CreateCallBody,
  CreatedCall,
  DeletedCall,
  ListCallsQuery,
} from '@parley/contract/calls'
import type { Send } from './http.ts'
import { pathPart } from './request.ts'

export type { Call, CallList, CallStatus, CancelledCall, CreateCallBody, CreatedCall, DeletedCall }

export type RequestOptions = { signal?: AbortSignal | undefined }
export type CreateCallOptions = RequestOptions & {
  /** 1 to 255 visible ASCII characters, e.g. your order's id. Within 24 hours the same key places one call only. */
  idempotencyKey?: string | undefined
}
export type CallFilters = { [Name in keyof Omit<ListCallsQuery, 'status'>]?: ListCallsQuery[Name] | undefined } & {
  status?: CallStatus | readonly CallStatus[] | undefined
}

const largestPage = 100

export class Calls {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Rings in about 15 seconds, or at `scheduled_time`. Always sent with a key, so a repeat never rings twice. */
  async create(body: CreateCallBody, options: CreateCallOptions = {}): Promise<CreatedCall['data']> {
    const { idempotencyKey = crypto.randomUUID(), signal } = options
    const answer = await this.#send<CreatedCall>({ method: 'POST', path: 'v1/calls', idempotencyKey, body, signal })
    return answer.data
  }

  async get(callId: string, { signal }: RequestOptions = {}): Promise<Call> {
    const answer = await this.#send<{ data: Call }>({ method: 'GET', path: `v1/calls/${pathPart(callId)}`, signal })
    return answer.data
  }

  /** One page, newest first unless told otherwise. `next_cursor` is the next page's `cursor`. */
  async list(filters: CallFilters = {}, { signal }: RequestOptions = {}): Promise<CallList> {
    return this.#send<CallList>({ method: 'GET', path: 'v1/calls', query: filters, signal })
  }

  /** Every call that fits, page after page; `limit` is the size of a page. */
  async *all(filters: CallFilters = {}, options: RequestOptions = {}): AsyncGenerator<Call, void, undefined> {
    let cursor = filters.cursor
    do {
      const page = await this.list({ limit: largestPage, ...filters, cursor }, options)
      yield* page.data
      cursor = page.next_cursor ?? undefined
    } while (cursor)
  }

  /** While it is scheduled or queued; cancelling again answers the same. */
  async cancel(callId: string, { signal }: RequestOptions = {}): Promise<CancelledCall['data']> {
    const path = `v1/calls/${pathPart(callId)}/cancel`
    const answer = await this.#send<CancelledCall>({ method: 'POST', path, idempotent: true, signal })
    return answer.data
  }

  /**
   * Erases a completed call that was answered, with everything about the person. Any other call is a 404; so is one
   * that is gone already, which a repeat after a lost answer may find.
   */
  async delete(callId: string, { signal }: RequestOptions = {}): Promise<DeletedCall['data']> {
    const path = `v1/calls/${pathPart(callId)}`
    const answer = await this.#send<DeletedCall>({ method: 'DELETE', path, signal })
    return answer.data
  }
}
