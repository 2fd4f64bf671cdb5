import type { BrainContext } from '../src/voice/ports.ts'

/** What a brain is told about a call of which nothing matters. */
export const plainContext: BrainContext = {
  agentName: 'Asha',
  language: 'en',
  prompt: '',
  greeting: 'Hello.',
  contactName: null,
  timezone: 'UTC',
  now: new Date(0),
}
