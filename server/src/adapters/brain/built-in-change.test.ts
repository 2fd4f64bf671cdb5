import { describe, expect, it } from 'vitest'
import { allTools, slots, talk } from '../../../test/built-in-talk.ts'

const goodbye = 'Thank you for your time. Goodbye.'
const done = ['end_call', { reason: 'done' }]
const cancelThis = 'Your appointment is on Monday 16 November at 11:00. Shall I cancel it?'
const moveThis = 'Your appointment is on Monday 16 November at 11:00. Shall I look for another time?'
const kept = 'Your appointment stays as it is. Is there anything I can help you with?'
const find = ['find_appointments', {}]
const cancel = ['cancel_appointment', { appointment_id: 'a1' }]
const two = {
  find_appointments: {
    ok: true,
    message: '',
    appointments: [
      { appointment_id: 'a1', label: 'Monday 16 November at 11:00' },
      { appointment_id: 'a2', label: 'Friday 20 November at 9:00' },
    ],
  },
}

describe('cancelling', () => {
  it('the appointment is found, said back, confirmed, and then cancelled', async () => {
    expect((await talk(['I want to cancel my appointment.', 'Yes, please.'])).slice(1)).toEqual([
      find,
      cancelThis,
      cancel,
      `It is cancelled. ${goodbye}`,
      done,
    ])
  })

  it.each([
    'Please cancel it',
    'Cancel my booking, please',
    'I have to cancel',
    'mera appointment cancel kar do',
    'मुझे अपॉइंटमेंट रद्द करना है',
    'No, I would like to cancel my appointment',
  ])('is understood: %s', async (text) => {
    expect((await talk([text])).slice(1)).toEqual([find, cancelThis])
  })

  it.each([
    ['No', kept],
    ['No, keep it.', kept],
    ["Don't cancel it!", kept],
    ['रद्द मत कीजिए', kept],
    ['Maybe', `Sorry, I did not catch that. ${cancelThis}`],
    ['Who is this?', `This is Asha, an automated assistant. ${cancelThis}`],
    ['Cancel it?', `I am afraid I cannot answer that. ${cancelThis}`],
  ])('%s: nothing is cancelled', async (text, answer) => {
    expect((await talk(['cancel my appointment', text])).slice(3)).toEqual([answer])
  })

  it('who has none is told so plainly', async () => {
    const results = { find_appointments: { ok: true, message: '', appointments: [] } }
    expect((await talk(['cancel my appointment'], { results })).at(-1)).toBe(
      'I am sorry, I cannot find an appointment of yours. Is there anything I can help you with?',
    )
  })

  it.each([
    ['cancel my appointment on Friday', 'yes'],
    ['cancel my appointment', 'No, the other one', 'Yes'],
    ['cancel my appointment', 'No, the one on Friday', 'Yes'],
  ])('of several the one that is meant: %s', async (...lines) => {
    expect((await talk(lines, { results: two })).at(-3)).toEqual(['cancel_appointment', { appointment_id: 'a2' }])
  })

  it('a failure is told, and a call back offered', async () => {
    const results = { cancel_appointment: { ok: false, message: 'That did not work.' } }
    const steps = await talk(['cancel my appointment', 'yes'], { results })
    expect(steps.at(-1)).toBe('That did not work. Shall I call you back another time?')
  })

  it('in the middle of a booking it is about the appointment they have', async () => {
    const steps = await talk(['book', 'No, I want to cancel my appointment', 'yes'])
    expect(steps.slice(3, 6)).toEqual([find, cancelThis, cancel])
  })

  it('without the tools it is refused plainly', async () => {
    const steps = await talk(['cancel my appointment'], { tools: ['list_slots', 'book_appointment', 'end_call'] })
    expect(steps[1]).toBe(`I am sorry, I cannot change appointments in this call. ${goodbye}`)
  })
})

describe('moving', () => {
  it('open slots are offered, and the appointment is moved to the one agreed to', async () => {
    const steps = await talk(['Can I reschedule my appointment?', 'Yes', 'No', 'Yes'])
    expect(steps.slice(1)).toEqual([
      find,
      moveThis,
      ['list_slots', {}],
      'The first opening is Monday 16 November at 9:00. Shall I move your appointment there?',
      // Not Monday at 11:00: it is there already.
      'The next opening is Tuesday 17 November at 9:00. Shall I move your appointment there?',
      ['move_appointment', { appointment_id: 'a1', slot_id: 's3' }],
      `It is moved. ${goodbye}`,
      done,
    ])
  })

  it('a day that is named is where the list begins', async () => {
    const steps = await talk(['Please move my appointment to Friday', 'Yes', 'Yes'])
    expect(steps.slice(3, 6)).toEqual([
      ['list_slots', { from_date: '2026-11-13' }],
      'The first opening is Friday 20 November at 9:00. Shall I move your appointment there?',
      ['move_appointment', { appointment_id: 'a1', slot_id: 's4' }],
    ])
  })

  it.each([
    "I can't make my appointment on Monday",
    'I need to postpone my appointment',
    'Could you change my appointment please',
    'appointment ka time badalna hai',
    'अपॉइंटमेंट का समय बदलना है',
  ])('is understood: %s', async (text) => {
    expect((await talk([text])).slice(1)).toEqual([find, moveThis])
  })

  it('a change of mind is followed: to cancelling, or to leaving it', async () => {
    expect((await talk(['reschedule my appointment', 'No, just cancel it', 'yes'])).slice(3, 5)).toEqual([
      cancelThis,
      cancel,
    ])
    expect((await talk(['reschedule my appointment', 'Yes', 'Never mind, keep it'])).at(-1)).toBe(kept)
  })

  it('without openings the appointment stays, and a call back is offered', async () => {
    const results = { list_slots: { ok: true, message: '', slots: [slots[1]] } }
    expect((await talk(['reschedule my appointment', 'yes'], { results })).at(-1)).toBe(
      'I am sorry, there are no open appointments at the moment. Your appointment stays as it is. Shall I call you back another time?',
    )
  })

  it('a slot that is gone meanwhile leads to the next', async () => {
    const results = { move_appointment: { ok: false, message: 'That one is gone' } }
    expect((await talk(['reschedule my appointment', 'yes', 'yes'], { results })).at(-1)).toBe(
      'That one is gone. The next opening is Tuesday 17 November at 9:00. Shall I move your appointment there?',
    )
  })

  it('who has none is offered to book', async () => {
    const results = { find_appointments: { ok: true, message: '', appointments: [] } }
    expect((await talk(['reschedule my appointment'], { results })).at(-1)).toBe(
      'I am sorry, I cannot find an appointment of yours. Would you like to book an appointment?',
    )
  })
})

it('in Hindi', async () => {
  const context = { language: 'hi', greeting: 'नमस्ते।' }
  const cancelled = await talk(['मुझे अपॉइंटमेंट रद्द करना है', 'हाँ, कर दीजिए'], { context })
  expect(cancelled.slice(2, 4)).toEqual(['आपका अपॉइंटमेंट Monday 16 November at 11:00 है। क्या इसे रद्द कर दूँ?', cancel])
  const moved = await talk(['अपॉइंटमेंट का समय बदलना है', 'हाँ', 'हाँ'], { context })
  expect(moved.slice(2, 6)).toEqual([
    'आपका अपॉइंटमेंट Monday 16 November at 11:00 है। क्या कोई और समय देखा जाए?',
    ['list_slots', {}],
    'पहला खाली समय Monday 16 November at 9:00 है। क्या आपका अपॉइंटमेंट इस समय कर दूँ?',
    ['move_appointment', { appointment_id: 'a1', slot_id: 's1' }],
  ])
})

describe('holding', () => {
  const tools = [...allTools, 'hold_slot'] as const

  it('the next opening is held while it is talked about', async () => {
    expect((await talk(['book', 'no', 'yes'], { tools })).slice(2, 6)).toEqual([
      'The first opening is Monday 16 November at 9:00. Shall I book it?',
      ['hold_slot', { slot_id: 's2' }],
      'The next opening is Monday 16 November at 11:00. Shall I book it?',
      ['book_appointment', { slot_id: 's2' }],
    ])
  })

  it('one that is gone is passed over', async () => {
    const results = { hold_slot: { ok: false, message: 'That one is gone' } }
    expect((await talk(['book', 'no'], { tools, results })).slice(3)).toEqual([
      ['hold_slot', { slot_id: 's2' }],
      'That one is gone.',
      ['hold_slot', { slot_id: 's3' }],
      'That one is gone. The next opening is Friday 20 November at 9:00. Shall I book it?',
    ])
  })
})
