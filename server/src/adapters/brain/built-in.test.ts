import { describe, expect, it } from 'vitest'
import { talk } from '../../../test/built-in-talk.ts'

const offer = 'Would you like to book an appointment?'
const goodbye = 'Thank you for your time. Goodbye.'
const done = ['end_call', { reason: 'done' }]
const firstSlot = 'The first opening is Monday 16 November at 9:00. Shall I book it?'

it('greets, offers, books, says goodbye', async () => {
  expect(await talk(['Hello', 'Yes', 'Yes'])).toEqual([
    'Hello Ravi, this is Asha.',
    offer,
    ['list_slots', {}],
    firstSlot,
    ['book_appointment', { slot_id: 's1' }],
    `You are booked. ${goodbye}`,
    done,
  ])
})

it('greets by name when the greeting is empty', async () => {
  expect(await talk([], { context: { greeting: ' ' } })).toEqual(['Hello, this is Asha.'])
})

it('a greeting that offers an appointment is the offer', async () => {
  const steps = await talk(['Yes please'], { context: { greeting: 'Hello! Would you like an appointment?' } })
  expect(steps.slice(1)).toEqual([['list_slots', {}], firstSlot])
})

describe('booking', () => {
  it('a no leads to the next opening, three at most', async () => {
    const steps = await talk(['I want an appointment', 'no', 'another one', 'No'])
    expect(steps.slice(2)).toEqual([
      firstSlot,
      'The next opening is Monday 16 November at 11:00. Shall I book it?',
      'The next opening is Tuesday 17 November at 9:00. Shall I book it?',
      `I am sorry, I have no other times to offer. ${goodbye}`,
      done,
    ])
  })

  it('a day that is wished for comes first', async () => {
    const steps = await talk(['Book me in for next Friday', 'Yes, Friday is fine'])
    expect(steps.slice(2, 4)).toEqual([
      'The first opening is Friday 20 November at 9:00. Shall I book it?',
      ['book_appointment', { slot_id: 's4' }],
    ])
    const other = await talk(['book', 'Do you have something on Tuesday?'])
    expect(other.at(-1)).toBe('The next opening is Tuesday 17 November at 9:00. Shall I book it?')
  })

  it.each(['Yes, who is this?', 'Maybe book it?', 'yes, no, book', 'Hm'])('%s: nothing is booked', async (text) => {
    expect((await talk(['book', text])).at(-1)).toContain(firstSlot)
  })

  it('a refused booking is told, and the next opening offered', async () => {
    const steps = await talk(['book', 'yes'], {
      results: { book_appointment: { ok: false, message: 'That one is gone' } },
    })
    expect(steps.at(-1)).toBe('That one is gone. The next opening is Monday 16 November at 11:00. Shall I book it?')
  })

  it('without openings it offers to call back', async () => {
    const steps = await talk(['book'], { results: { list_slots: { ok: true, message: '', slots: [] } } })
    expect(steps.at(-1)).toBe(
      'I am sorry, there are no open appointments at the moment. Shall I call you back another time?',
    )
  })

  it('without the tools it offers help instead', async () => {
    const steps = await talk(['Hello', 'No'], { tools: ['end_call'] })
    expect(steps.slice(1)).toEqual(['Is there anything I can help you with?', goodbye, done])
  })
})

describe('call back', () => {
  const readBack = 'I will call you back today at 3:15 PM, is that right?'
  const arranged = ['schedule_callback', { at: '2026-11-11T15:15:00+05:30' }]

  it('is said back before it is arranged', async () => {
    expect((await talk(['Please call me back in an hour', 'Yes, that is right.'])).slice(1)).toEqual([
      readBack,
      arranged,
      `Thank you, until then. ${goodbye}`,
      done,
    ])
  })

  it.each([
    ['tomorrow at ten', '2026-11-12T10:00:00+05:30'],
    ['in 30 minutes', '2026-11-11T14:45:00+05:30'],
    ['after 5 pm', '2026-11-11T17:00:00+05:30'],
    ['next Monday morning', '2026-11-16T09:00:00+05:30'],
    ['kal subah das baje', '2026-11-12T10:00:00+05:30'],
  ])('%s', async (text, at) => {
    expect((await talk(['Hello', text, 'yes']))[3]).toEqual(['schedule_callback', { at }])
  })

  it('a no asks again once', async () => {
    expect((await talk(['Call me back in an hour', 'no', 'in two hours', 'no'])).slice(2)).toEqual([
      'When would suit you better?',
      'I will call you back today at 4:15 PM, is that right?',
      goodbye,
      done,
    ])
  })

  it('a no with another time is that other time', async () => {
    const steps = await talk(['Call me back in an hour', 'No, at six', 'ok'])
    expect(steps.slice(2, 4)).toEqual([
      'I will call you back today at 6:00 PM, is that right?',
      ['schedule_callback', { at: '2026-11-11T18:00:00+05:30' }],
    ])
  })

  it('asks when, once more if need be', async () => {
    expect((await talk(['I am busy', 'Whenever', 'I said whenever'])).slice(1)).toEqual([
      'When would suit you?',
      'Sorry, I did not catch the time. When would suit you?',
      goodbye,
      done,
    ])
  })

  it('a failure asks for another time, once', async () => {
    const results = { schedule_callback: { ok: false, message: 'That is too far ahead.' } }
    expect((await talk(['in an hour', 'yes', 'in two hours', 'yes'], { results })).slice(3)).toEqual([
      'That is too far ahead. When would suit you better?',
      'I will call you back today at 4:15 PM, is that right?',
      ['schedule_callback', { at: '2026-11-11T16:15:00+05:30' }],
      `That is too far ahead. ${goodbye}`,
      done,
    ])
  })
})

describe('no', () => {
  it.each(['I am not interested.', "Don't call me again", 'Stop', 'मुझे रुचि नहीं है'])('%s: no arguing', async (text) => {
    expect((await talk([text])).slice(1)).toEqual([
      'I am sorry to have disturbed you. Goodbye.',
      ['end_call', { reason: 'not_interested' }],
    ])
  })

  it('to the offer ends the call', async () => {
    const end = ['end_call', { reason: 'not_interested' }]
    expect((await talk(['Hello', 'No, thank you'])).slice(2)).toEqual([goodbye, end])
  })

  it('to the greeting leads to a call back', async () => {
    expect((await talk(['No, not really'])).at(-1)).toBe('Shall I call you back another time?')
  })
})

describe('silence', () => {
  it('is asked into once, then ends the call', async () => {
    expect((await talk([null, null])).slice(1)).toEqual([
      'Are you still there?',
      'I cannot hear you. I will try another time. Goodbye.',
      ['end_call', { reason: 'no_response' }],
    ])
  })

  it('"yes" to "Are you still there?" books nothing', async () => {
    expect((await talk(['book', null, 'Yes, I am here.'])).slice(3)).toEqual(['Are you still there?', firstSlot])
  })
})

describe('questions', () => {
  it.each([
    ['Who is this?', 'This is Asha, an automated assistant.'],
    ['Are you a robot?', 'I am an automated assistant.'],
    ['What is this about?', 'I am calling about an appointment.'],
    ['How are you?', 'Thank you for asking.'],
    ['How much does it cost?', 'I am afraid I cannot answer that.'],
  ])('%s', async (question, reply) => {
    expect((await talk([question])).at(-1)).toBe(`${reply} ${offer}`)
  })

  it('the topic comes from the prompt, which is never read out', async () => {
    const prompt = 'Remind people of their unpaid invoice. Never mention insurance. Code 1234.'
    const [, reply] = await talk(['What is this about?'], { context: { prompt }, tools: ['end_call'] })
    expect(reply).toBe('I am calling about a payment. Is there anything I can help you with?')
  })

  it('a human takes over on request', async () => {
    expect((await talk(['Let me talk to a human'])).slice(1)).toEqual([
      'One moment please, I will connect you.',
      ['transfer_to_human', {}],
      'I am putting you through.',
    ])
  })

  it('no colleague: a call back is offered', async () => {
    const results = { transfer_to_human: { ok: false, message: 'Nobody is free.' } }
    const steps = await talk(['Let me talk to a human'], { results })
    expect(steps.at(-1)).toBe('Nobody is free. Shall I call you back another time?')
  })

  it('small talk leads back three times, then goodbye', async () => {
    const steps = await talk(['Hello', 'The weather', 'My cat', 'My dog', 'My bird'])
    expect(steps.slice(2)).toEqual([
      `I see. ${offer}`,
      `I understand. ${offer}`,
      `Thank you. ${offer}`,
      `I will not keep you any longer. ${goodbye}`,
      done,
    ])
  })
})

it.each(['hi', 'hi-IN', 'Hindi', 'hindi'])('speaks Hindi for %s', async (language) => {
  const steps = await talk(['haan ji', 'book kar do', 'theek hai'], { context: { language, greeting: 'नमस्ते।' } })
  expect(steps).toEqual([
    'नमस्ते।',
    'क्या आप अपॉइंटमेंट बुक करना चाहेंगे?',
    ['list_slots', {}],
    'पहला खाली समय Monday 16 November at 9:00 है। क्या इसे बुक कर दूँ?',
    ['book_appointment', { slot_id: 's1' }],
    'You are booked. आपके समय के लिए धन्यवाद। नमस्ते।',
    done,
  ])
})

it('a call back in Hindi is said back in Hindi', async () => {
  const steps = await talk(['एक घंटे बाद कॉल कीजिए', 'हाँ, सही है।'], { context: { language: 'hi' } })
  expect(steps.slice(1, 3)).toEqual([
    'आपको आज दोपहर 3:15 बजे फ़ोन किया जाएगा, ठीक है?',
    ['schedule_callback', { at: '2026-11-11T15:15:00+05:30' }],
  ])
})

it('any other language is English', async () => {
  expect((await talk(['Hola'], { context: { language: 'es' } })).at(-1)).toBe(offer)
})
