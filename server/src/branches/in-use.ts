import { fault, ParleyError } from '../platform/errors.ts'

const counted = ([noun, count]: [string, number]): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** What is referred to stays: says by how many of what. */
export function inUse(what: string, uses: Record<string, number>): ParleyError {
  const found = Object.entries(uses).filter(([, count]) => count > 0)
  const text = found
    .map(counted)
    .join(', ')
    .replace(/, ([^,]*)$/, ' and $1')
  const total = found.reduce((sum, [, count]) => sum + count, 0)
  const verb = total > 1 ? 'refer' : 'refers'
  const message = `${what} cannot be deleted: ${text || 'something'} ${verb} to it.`
  return new ParleyError('IN_USE', message, {
    details: found.map((each) => fault(`${each[0]}s`, 'in_use', counted(each))),
  })
}
