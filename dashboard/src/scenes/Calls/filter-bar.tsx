import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useSignedIn } from '../../session.ts'
import { Icon } from '../../ui/icons.tsx'
import { useAgents } from '../../use-agents.ts'
import { directionWords, dispositionWords } from './call-words.ts'
import type { FilterName, Filters } from './filters.ts'

interface FilterBarProps {
  filters: Filters
  onChange: (name: FilterName, value: string) => void
  onClear: () => void
}

const typingMs = 300
const options = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }))

export function FilterBar({ filters, onChange, onClear }: FilterBarProps) {
  const { timezone } = useSignedIn().organisation
  const { data: agents = [] } = useAgents()
  const select = (name: FilterName, label: string, any: string, choices: { value: string; label: string }[]) => (
    <NativeSelect
      label={label}
      value={filters[name] ?? ''}
      onChange={(event) => onChange(name, event.currentTarget.value)}
      data={[{ value: '', label: any }, ...choices]}
    />
  )
  const day = (name: 'from' | 'to', label: string) => (
    <TextInput
      type="date"
      label={label}
      title={`Days of ${timezone}`}
      value={filters[name] ?? ''}
      onChange={(event) => onChange(name, event.currentTarget.value)}
    />
  )
  return (
    <search className="filters" aria-label="Filter calls">
      <SearchText text={filters.q ?? ''} onChange={(text) => onChange('q', text)} />
      {select(
        'agent',
        'Agent',
        'Every agent',
        agents.map(({ agent_id, name }) => ({ value: agent_id, label: name })),
      )}
      {select('outcome', 'Outcome', 'Every outcome', options(dispositionWords))}
      {select('direction', 'Direction', 'Both ways', options(directionWords))}
      {day('from', 'From')}
      {day('to', 'To')}
      {Object.keys(filters).length > 0 && (
        <Button variant="subtle" onClick={onClear} leftSection={<Icon name="close" size={16} />}>
          Clear filters
        </Button>
      )}
    </search>
  )
}

/** Looks when the typing stops. */
function SearchText({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const [typed, setTyped] = useState(text)
  const [known, setKnown] = useState(text)
  // The address changed by other means: Back, a link, Clear.
  if (text !== known) {
    setKnown(text)
    if (text !== typed.trim()) setTyped(text)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the wait
  useEffect(() => {
    if (typed.trim() === text) return
    const timer = setTimeout(() => onChange(typed.trim()), typingMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <TextInput
      className="filters-text"
      label="Search"
      placeholder="Name, number, id, or words that were said"
      maxLength={200}
      leftSection={<Icon name="search" size={16} />}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  )
}
