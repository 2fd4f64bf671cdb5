import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { curlOf } from './curl.ts'

it('a shell reads exactly what was meant, quotes and all', () => {
  const body = { contact_name: `O'Hara "the" $HOME`, note: 'two\nlines' }
  const command = curlOf({ method: 'POST', path: '/v1/calls', body }, 'https://parley.example')
  const script = `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }; ${command}`
  const args = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
  expect(args.slice(0, 3)).toEqual(['-X', 'POST', 'https://parley.example/v1/calls'])
  expect(JSON.parse(args.at(-1) ?? '')).toEqual(body)
})
