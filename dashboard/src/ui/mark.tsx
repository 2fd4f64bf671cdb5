import type { ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'

export type Tone = 'good' | 'bad' | 'busy' | 'calm' | 'warn'
const iconOf: Record<Tone, IconName> = { good: 'check', bad: 'alert', busy: 'dot', calm: 'clock', warn: 'alert' }

/** A state: icon, word and colour together, so that nobody has to see colours. */
export function Mark({ tone, icon, children }: { tone: Tone; icon?: IconName; children: ReactNode }) {
  return (
    <span className="mark" data-tone={tone}>
      <Icon name={icon ?? iconOf[tone]} size={14} />
      {children}
    </span>
  )
}
