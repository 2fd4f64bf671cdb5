// What a person reads when something fails: what happened, and what to do next.
import { ApiFailure, type FailureFacts } from './api-failure.ts'

export interface Explanation {
  title: string
  text: string
  requestId?: string | undefined
}

export function waitInWords(seconds: number | undefined): string {
  if (seconds === undefined) return 'Wait a minute'
  if (seconds <= 1) return 'Wait a second'
  if (seconds < 60) return `Wait ${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return minutes === 1 ? 'Wait a minute' : `Wait ${minutes} minutes`
  const hours = Math.ceil(minutes / 60)
  return hours === 1 ? 'Wait an hour' : `Wait ${hours} hours`
}

function explainFacts({ status, code, message, retryAfterSeconds }: FailureFacts): Explanation {
  if (status === 0) {
    return { title: 'Parley cannot be reached', text: 'Check your internet connection, then try again.' }
  }
  if (code === 'RATE_LIMITED' || status === 429) {
    return { title: 'Too many attempts', text: `${waitInWords(retryAfterSeconds)}, then try again.` }
  }
  if (status >= 500 || code === 'UNREADABLE') {
    return { title: 'Something went wrong on our side', text: 'Try again in a moment.' }
  }
  return { title: 'That did not work', text: message || 'Try again in a moment.' }
}

export function explain(failure: unknown): Explanation {
  if (!(failure instanceof ApiFailure)) {
    return { title: 'Something went wrong in this page', text: 'Load the page again and try once more.' }
  }
  return { ...explainFacts(failure.facts), requestId: failure.facts.requestId }
}
