// The way from nothing to the first booking, each step with where it is done.
import type { Checklist } from '@parley/contract/home'

export interface Step {
  key: keyof Checklist
  title: string
  text: string
  to: string
  action: string
}

const steps: readonly Step[] = [
  {
    key: 'agent',
    title: 'Create an agent',
    text: 'Who calls, and what it says.',
    to: '/agents/new',
    action: 'Create an agent',
  },
  {
    key: 'number',
    title: 'Give it a number',
    text: 'Calls go out from it. A simulator number rings no real phone.',
    to: '/agents',
    action: 'Assign a number',
  },
  {
    key: 'api_key',
    title: 'Make an API key',
    text: 'So that your own programs can place calls.',
    to: '/keys',
    action: 'Make a key',
  },
  {
    key: 'test_call',
    title: 'Place a test call',
    text: 'Open your agent and let it call one of the simulator’s people.',
    to: '/agents',
    action: 'Try your agent',
  },
  {
    key: 'webhook',
    title: 'Register a webhook',
    text: 'Your system hears about every outcome.',
    to: '/webhooks',
    action: 'Add an endpoint',
  },
  {
    key: 'calendar',
    title: 'Open your calendar',
    text: 'Times the agent may book.',
    to: '/calendar',
    action: 'Add a window',
  },
]

export interface Progress {
  steps: (Step & { done: boolean; isNext: boolean })[]
  done: number
  isComplete: boolean
}

export function progressOf(checklist: Checklist): Progress {
  const next = steps.find((each) => !checklist[each.key])
  return {
    steps: steps.map((each) => ({ ...each, done: checklist[each.key], isNext: each === next })),
    done: steps.filter((each) => checklist[each.key]).length,
    isComplete: next === undefined,
  }
}
