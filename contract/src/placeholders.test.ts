import { expect, it } from 'vitest'
import { fillTemplate, partsOf, placeholdersIn } from './placeholders.ts'

it('placeholders are named once each, in order, without the spaces around them', () => {
  expect(placeholdersIn('Hi {{ user_name }}, {{order}}', '{{order}} {{}} {x} {{ward}}')).toEqual([
    'user_name',
    'order',
    'ward',
  ])
})

it('a filled value is never expanded again, and what is unknown becomes empty', () => {
  const values: Record<string, string> = { a: '{{b}}', b: 'no' }
  expect(fillTemplate('{{a}}|{{c}}|{{ b }}', (key) => values[key])).toBe('{{b}}||no')
})

it('a text cut at its placeholders is still the same text', () => {
  const text = '{{a}} and {{b}}{{c}} {not} {{{d}}}'
  expect(
    partsOf(text)
      .map((each) => each.text)
      .join(''),
  ).toBe(text)
  expect(
    partsOf(text)
      .filter((each) => each.isPlaceholder)
      .map((each) => each.text),
  ).toEqual(['{{a}}', '{{b}}', '{{c}}', '{{d}}'])
})
