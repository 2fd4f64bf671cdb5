import { type Fault, fault } from '../platform/errors.ts'

// How the parts of a file refer to each other. All of it works on the file as it was written: an item that has a fault of
// another kind still refers to things, and is still referred to.

export type RoughItem = { item: Record<string, unknown>; at: string }

/** The items of one list that are objects at all, and where they stand: `agents.0`. */
export function roughItems(file: unknown, list: string): RoughItem[] {
  const given = (file as Record<string, unknown> | null | undefined)?.[list]
  return (Array.isArray(given) ? given : []).flatMap((item: unknown, i) =>
    typeof item === 'object' && item !== null ? [{ item: item as Record<string, unknown>, at: `${list}.${i}` }] : [],
  )
}

export type Names = { trunks: Set<string>; numbers: Set<string>; branches: Set<string>; services: Set<string> }

/** What the file itself gives names to. */
export function namesIn(file: unknown): Names {
  const named = (list: string, by: 'name' | 'number') =>
    new Set(
      roughItems(file, list)
        .map(({ item }) => item[by])
        .filter((each) => typeof each === 'string'),
    )
  return {
    trunks: named('trunks', 'name'),
    numbers: named('phone_numbers', 'number'),
    branches: named('branches', 'name'),
    services: named('services', 'name'),
  }
}

const references = [
  ['phone_numbers', 'trunk', 'trunks'],
  ['agents', 'number', 'numbers'],
  ['agents', 'branch', 'branches'],
  ['services', 'branches', 'branches'],
  ['windows', 'branch', 'branches'],
] as const

/** `known`: names of the organisation, so that a file may refer to what was there before it. */
export function referenceFaults(file: unknown, known: Omit<Names, 'services'>): Fault[] {
  const named = namesIn(file)
  return references.flatMap(([list, field, kind]) =>
    roughItems(file, list).flatMap(({ item, at }) => {
      const given = item[field]
      const places = Array.isArray(given)
        ? given.map((name: unknown, i) => ({ name, place: `${at}.${field}.${i}` }))
        : [{ name: given, place: `${at}.${field}` }]
      return places.flatMap(({ name, place }) =>
        typeof name !== 'string' || named[kind].has(name) || known[kind].has(name)
          ? []
          : [fault(place, 'not_found', `${name} is neither in this file nor in the organisation.`)],
      )
    }),
  )
}
