import type { CallStatus } from '@parley/contract/calls'
import { Mark } from '../../ui/mark.tsx'
import { type Said, statusWords } from './call-words.ts'

export function SaidMark({ said: { words, tone, icon } }: { said: Said }) {
  return (
    <Mark tone={tone} {...(icon ? { icon } : {})}>
      {words}
    </Mark>
  )
}

export const CallMark = ({ status }: { status: CallStatus }) => <SaidMark said={statusWords[status]} />
