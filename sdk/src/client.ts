import { Calls } from './calls.ts'
import { createSend, type ParleyOptions } from './http.ts'

export class ParleyClient {
  readonly calls: Calls

  constructor(options: ParleyOptions) {
    this.calls = new Calls(createSend(options))
  }
}
