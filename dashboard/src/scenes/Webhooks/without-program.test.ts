import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { withoutProgram } from './without-program.ts'

const folder = 'docs/verifiers'
const files = readdirSync(folder).filter((name) => /^verify\./i.test(name))

it.each(files)('%s is shown without the program around it', (name) => {
  const shown = withoutProgram(readFileSync(path.join(folder, name), 'utf8'))
  expect(shown).not.toMatch(/As a program|End of the program|CASES/)
  expect(shown).toContain('v1=')
  expect(shown.length).toBeGreaterThan(400)
})

it('there are six of them', () => expect(files).toHaveLength(6))
