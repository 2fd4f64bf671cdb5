import type { Failure } from './client-transaction.ts'
import type { Core } from './core.ts'
import type { ReceivedResponse, SipRequest } from './message.ts'
import type { Hop } from './peer.ts'
import type { Trunk } from './trunk.ts'

/** No answer to a request that is not an INVITE. */
export class AskFailed extends Error {
  override readonly name = 'AskFailed'
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

export type Asked = { response: ReceivedResponse; request: SipRequest }
const mostChallenges = 3

/** One request, and once more for every challenge we can answer. Resolves with the final answer. */
export async function ask(core: Core, trunk: Trunk, hop: Hop, build: () => SipRequest): Promise<Asked> {
  const credentials = core.credentialsOf(trunk)
  for (let challenges = 0; ; challenges += 1) {
    const request = credentials.apply(build())
    const response = await askOnce(core, hop, request)
    const isChallenge = response.status === 401 || response.status === 407
    if (!isChallenge || challenges >= mostChallenges || !credentials.learn(response, request))
      return { response, request }
  }
}

/** `onProvisional` also gets the 1xx. */
export function askOnce(
  core: Core,
  hop: Hop,
  request: SipRequest,
  onProvisional: (response: ReceivedResponse) => void = () => {},
  onRepeated: (response: ReceivedResponse) => void = () => {},
): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    let isFinal = false
    core.transactions.request(request, hop, {
      onResponse: (response) => {
        if (response.status < 200) return onProvisional(response)
        if (isFinal) return onRepeated(response)
        isFinal = true
        resolve(response)
      },
      onFailure: (failure) => reject(new AskFailed(failure)),
    })
  })
}
