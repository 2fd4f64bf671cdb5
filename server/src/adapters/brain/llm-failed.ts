const messages = {
  connection: 'The model could not be reached',
  http: 'The model answered with an error status',
  first_token_timeout: 'The model did not begin its answer in time',
  timeout: 'The model did not finish its answer in time',
  cut: 'The connection to the model ended in the middle of its answer',
  malformed: 'The model answered with something that is not a chat completion',
  not_speech: 'The model answered with text that cannot be spoken',
  empty: 'The model answered with neither text nor a tool',
  bad_tool: 'The model used a tool that is not offered, or with arguments that are not valid',
  bad_analysis: 'The model answered with an analysis that is not valid',
} as const
export type LlmFailure = keyof typeof messages

/**
 * The model failed. Made to be logged: neither the key, nor the address, nor anything anybody said is in it. That is
 * why it keeps no `cause`: fetch quotes the key in its complaint about a header.
 */
export class LlmFailed extends Error {
  override readonly name = 'LlmFailed'
  readonly code: LlmFailure
  readonly status: number | undefined
  constructor(code: LlmFailure, status?: number) {
    super(status === undefined ? `${messages[code]}.` : `${messages[code]} (${status}).`)
    this.code = code
    this.status = status
  }
}
