import { describe, expect, it } from 'vitest'
import { hear } from './built-in-hear.ts'

describe('a yes', () => {
  it.each([
    'Yes.',
    'yes please',
    'Yeah, sure',
    'OK',
    'Okay, go ahead.',
    'That’s right.',
    'Sounds good',
    'Please book it',
    'No problem.',
    'Why not?',
    'Of course',
    'Yes, I am fine with that',
    'Yes, right now',
    'I would like that',
    'haan',
    'haan ji, kar do',
    'ji',
    'theek hai',
    'koi baat nahi',
    'हाँ',
    'हां, ज़रूर।',
    'जी, ठीक है',
    'बुक कर दीजिए, हाँ',
  ])('%s', (text) => {
    expect(hear(text).answer).toBe('yes')
  })
})

describe('a no', () => {
  it.each([
    'No.',
    'no thank you',
    'Nope',
    'No, that is fine.',
    'Not right',
    'That is not correct',
    'Of course not',
    'I do not want that',
    'I would not',
    'nahi',
    'ji nahi',
    'nahin, theek nahin hai',
    'बिल्कुल नहीं',
    'नहीं, धन्यवाद।',
  ])('%s', (text) => {
    expect(hear(text).answer).toBe('no')
  })
})

describe('neither', () => {
  it.each([
    'Yes, no, I mean',
    'Okay, maybe',
    'Maybe yes',
    'I am not sure',
    'I’m fine, thanks',
    'Right now?',
    'Is that okay?',
    'Hm, let me think.',
    'pata nahi',
    'शायद',
    '',
  ])('%s', (text) => {
    expect(hear(text).answer).toBeNull()
  })
})

describe('what is meant', () => {
  it.each([
    ['I am not interested.', 'refuse'],
    ['Please stop calling me', 'refuse'],
    ['Stop.', 'refuse'],
    ['Do not call me back ever again', 'refuse'],
    ['mujhe zaroorat nahi hai', 'refuse'],
    ['मुझे रुचि नहीं है।', 'refuse'],
    ['Can I talk to a human?', 'human'],
    ['kisi insaan se baat karao', 'human'],
    ['किसी इंसान से बात करनी है', 'human'],
    ['Are you a robot?', 'robot'],
    ['Am I talking to a real person?', 'robot'],
    ['Who’s calling, please?', 'who'],
    ['आप कौन बोल रहे हैं?', 'who'],
    ['What is this about?', 'about'],
    ['kis baare mein hai', 'about'],
    ['I’m driving', 'callback'],
    ['baad mein', 'later'],
    ['बाद में', 'later'],
    ['I want to make an appointment', 'book'],
    ['book kar do', 'book'],
    ['Sorry?', 'repeat'],
    ['Hello?', 'hello'],
    ['You have the wrong number', 'wrongNumber'],
  ] as const)('%s: %s', (text, intent) => {
    expect([...hear(text).means]).toContain(intent)
  })

  it('"do not call now, call me back" asks for a call', () => {
    const { means } = hear('Do not call me now, call me back at six')
    expect([means.has('refuse'), means.has('callback')]).toEqual([false, true])
  })
})
