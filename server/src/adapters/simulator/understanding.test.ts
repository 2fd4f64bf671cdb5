import { expect, it } from 'vitest'
import { isHindi, understand } from './understanding.ts'

it.each([
  ['Would you like to book an appointment?', ['offer']],
  ['The first opening is Tuesday at ten. Shall I book it?', ['offer']],
  ['I could reserve a slot for you, would you like that?', ['offer']],
  ['I will call you back at noon, is that right?', ['is_that_right', 'will_call_back']],
  ['Are you still there?', ['still_there']],
  ['Your appointment is booked for Tuesday.', ['booked']],
  ["You're all booked. Anything else?", ['booked', 'anything_else']],
  ['I am sorry, that could not be booked.', []],
  ['We are fully booked. Goodbye.', ['goodbye']],
  ['I am connecting you to a colleague.', ['transferring']],
  ['Thank you for your time. Goodbye.', ['goodbye']],
  ['Hello Ravi, this is Asha from the clinic.', []],
  ['Kya aap appointment book karna chahenge?', ['offer']],
  ['क्या आप अपॉइंटमेंट बुक करना चाहेंगे?', ['offer']],
  ['क्या आप सुन रहे हैं?', ['still_there']],
  ['धन्यवाद। अलविदा।', ['goodbye']],
  ['आपके समय के लिए धन्यवाद। नमस्ते।', ['goodbye']],
  ['नमस्ते, आशा की ओर से फ़ोन है।', []],
  ['आपको मंगलवार 10:00 बजे फ़ोन किया जाएगा, ठीक है?', ['is_that_right', 'will_call_back']],
  ['I am sorry, I cannot connect you to a colleague right now.', []],
  ['One moment please, I will connect you.', ['transferring']],
])('%s → %j', (words, topics) => {
  expect([...understand(words)]).toEqual(topics)
})

it.each([
  ['नमस्ते रवि', 'en', true],
  ['Namaste, kya aap Ravi bol rahe hain?', 'en', true],
  ['Hello', 'hi-IN', true],
  ['Hello, this is Hai Nguyen.', 'en', false],
  ['Hello', 'Hindi', true],
  ['Hello', 'hil', false],
])('%s (%s) is Hindi: %s', (words, language, expected) => {
  expect(isHindi(words, language)).toBe(expected)
})
