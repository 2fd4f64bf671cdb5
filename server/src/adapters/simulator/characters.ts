import { pick } from './seed.ts'
import type { Topic } from './understanding.ts'

/** `leaves`: says it and hangs up, unless the agent is quicker. */
export type Phrase = { en: string; hi: string; leaves?: true }

/** How a person behaves: what they answer to what they understand, and what they say of their own accord otherwise. */
export type Character = {
  answers: Partial<Record<Topic, Phrase>>
  /** One after the other; the last one again and again. */
  script: readonly [Phrase, ...Phrase[]]
  /** Hearing this, they have what they wanted. */
  wants?: Topic
  /** After so many answers the call ends in the middle of the agent's next words, or of its goodbye. */
  breaksOff?: { afterAnswers: number; by: 'hang_up' | 'drop' }
}

const hereIAm: Phrase = { en: 'Yes, I am here.', hi: 'जी, मैं सुन रहा हूँ।' }
const yesSpeaking: Phrase = { en: 'Hello, speaking.', hi: 'नमस्ते, बोल रहा हूँ।' }
const thatIsAll: Phrase = { en: 'No, that is all. Thank you.', hi: 'नहीं, बस इतना ही। धन्यवाद।' }
const thatIsRight: Phrase = { en: 'Yes, that is right.', hi: 'हाँ, सही है।' }
const yesPlease: Phrase = { en: 'Yes, please.', hi: 'हाँ, ज़रूर।' }
const noThankYou: Phrase = { en: 'No, thank you.', hi: 'नहीं, धन्यवाद।' }
const notInterested: Phrase = { en: 'No, thank you. I am not interested.', hi: 'नहीं, मुझे रुचि नहीं है।' }

export const byePhrase: Phrase = { en: 'Thank you, bye.', hi: 'धन्यवाद, अलविदा।', leaves: true }
export const haveToGoPhrase: Phrase = {
  en: 'Sorry, I have to go now. Goodbye.',
  hi: 'माफ़ कीजिए, मुझे अब जाना है। अलविदा।',
  leaves: true,
}
export const helloPhrase: Phrase = { en: 'Hello?', hi: 'हैलो?' }

/** Whoever has what they wanted. */
export const satisfied: Character = {
  answers: { still_there: hereIAm, is_that_right: thatIsRight, offer: thatIsAll, anything_else: thatIsAll },
  script: [{ en: 'Great, thank you very much.', hi: 'बहुत अच्छा, धन्यवाद।' }, byePhrase],
}

export const booker: Character = {
  answers: {
    still_there: hereIAm,
    is_that_right: thatIsRight,
    offer: { en: 'Yes, please book it.', hi: 'हाँ, बुक कर दीजिए।' },
    will_call_back: noThankYou,
  },
  script: [
    { en: 'Hello. Yes, I would like to book an appointment.', hi: 'नमस्ते। हाँ, मुझे अपॉइंटमेंट बुक करना है।' },
    { en: 'The first opening is fine, please book it.', hi: 'पहला समय ठीक है, बुक कर दीजिए।' },
  ],
  wants: 'booked',
}

export const callMeLater: Character = {
  answers: { is_that_right: thatIsRight },
  script: [
    { en: 'I am busy right now. Please call me back in one hour.', hi: 'मैं अभी व्यस्त हूँ। एक घंटे बाद कॉल कीजिए।' },
    { en: 'Please call me back in one hour.', hi: 'एक घंटे बाद कॉल कीजिए।' },
  ],
  wants: 'will_call_back',
}

export const uninterested: Character = {
  answers: { is_that_right: { en: 'Yes, I am not interested.', hi: 'हाँ, मुझे रुचि नहीं है।' } },
  script: [notInterested, notInterested, { ...haveToGoPhrase, en: 'I am not interested. Goodbye.' }],
}

export const wantsHuman: Character = {
  answers: { is_that_right: yesPlease, will_call_back: noThankYou },
  script: [
    { en: 'I would like to speak to a human, please.', hi: 'मुझे किसी इंसान से बात करनी है।' },
    { en: 'Please connect me to a real person.', hi: 'कृपया मुझे किसी व्यक्ति से जोड़िए।' },
  ],
  wants: 'transferring',
}

export const hangsUpHalfWay: Character = {
  answers: { still_there: hereIAm },
  script: [
    { en: 'Hello, speaking. What is this about?', hi: 'नमस्ते, बोल रहा हूँ। किस बारे में है?' },
    { en: 'Hm, let me think.', hi: 'हम्म, सोचने दीजिए।' },
  ],
  breaksOff: { afterAnswers: 2, by: 'hang_up' },
}

export const losesTheLine: Character = {
  answers: {},
  script: [yesSpeaking],
  breaksOff: { afterAnswers: 1, by: 'drop' },
}

/** Someone like everyone: a question or two, never a booking. */
export function ordinary(random: () => number): Character {
  const questions: Phrase[] = [
    { en: 'Where are you calling from?', hi: 'आप कहाँ से बोल रहे हैं?' },
    { en: 'How long does it take?', hi: 'इसमें कितना समय लगता है?' },
    { en: 'What does it cost?', hi: 'इसका कितना खर्च है?' },
    { en: 'Who gave you my number?', hi: 'मेरा नंबर आपको किसने दिया?' },
  ]
  const first = questions.splice(Math.floor(random() * questions.length), 1)
  const second = questions.splice(Math.floor(random() * questions.length), 1)
  const opening = pick(random, [
    yesSpeaking,
    { en: 'Hello. How are you?', hi: 'नमस्ते, कैसे हैं आप?' },
    { en: 'Good day, who is this?', hi: 'नमस्ते, कौन बोल रहा है?' },
  ])
  const decline = pick(random, [
    notInterested,
    { en: 'No, thank you. I do not need it.', hi: 'नहीं, धन्यवाद। ज़रूरत नहीं है।' },
    { en: 'That is kind, but no, thank you.', hi: 'शुक्रिया, पर नहीं।' },
  ])
  return {
    answers: {
      still_there: hereIAm,
      is_that_right: noThankYou,
      will_call_back: noThankYou,
      anything_else: thatIsAll,
    },
    script: [opening, ...first, ...(random() < 0.5 ? second : []), decline, decline, haveToGoPhrase],
  }
}
