import type { Heard } from './built-in-hear.ts'
import { answer } from './built-in-moves.ts'
import { close, type Move, type Scene, type State } from './built-in-state.ts'
import { topicOf } from './built-in-topic.ts'
import type { When } from './time-words.ts'

export type OnWords = (scene: Scene, state: State, heard: Heard, when: When | null) => Move

export const mostAsides = 3

/** Questions that need no decision, and farewells. */
export function smallTalk(scene: Scene, state: State, { means, answer: said }: Heard): Move | null {
  const { say, context, tools } = scene
  const agent = context.agentName.trim()
  if (means.has('who')) return answer(scene, state, agent === '' ? say.robot : say.who(agent))
  if (means.has('about')) return answer(scene, state, say.about(topicOf(context.prompt, tools)))
  if (means.has('repeat')) return answer(scene, state, state.phase === 'greeted' ? context.greeting : '')
  if (means.has('howAreYou')) return answer(scene, state, say.thanks)
  if (means.has('hello')) return answer(scene, state, '')
  const isLeaving = means.has('bye') && !means.has('yes') && !means.has('book') && said !== 'no'
  if (isLeaving) return close(state, 'done', say.goodbye)
  return null
}

/** A short acknowledgement that leads back, three times at most; the first reply to a greeting is none of them. */
export function passOver(scene: Scene, state: State, { means }: Heard): Move {
  const { say } = scene
  const isQuestion = means.has('question')
  if (state.phase === 'greeted' && !isQuestion) return answer(scene, state, '')
  if (state.asides >= mostAsides) return close(state, 'done', say.enough)
  const isDecision = ['slot', 'change', 'confirm', 'callback'].includes(state.phase)
  const word = isDecision ? say.pardon : (say.acknowledgements[state.asides] ?? '')
  return answer(scene, { ...state, asides: state.asides + 1 }, isQuestion ? say.cannotAnswer : word)
}
