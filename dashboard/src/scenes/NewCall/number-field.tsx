import { TextInput } from '@mantine/core'
import { Mark } from '../../ui/mark.tsx'
import { numberText } from '../Calls/call-words.ts'
import { checkNumber } from './phone.ts'

interface NumberFieldProps {
  value: string
  /** After the form was sent, or from the server. */
  fault: string | undefined
  onChange: (text: string) => void
}

const countries = { US: 'United States or Canada', IN: 'India' }

/** Says while one types whether the number can be called. */
export function NumberField({ value, fault, onChange }: NumberFieldProps) {
  const checked = checkNumber(value)
  const error = checked.state === 'bad' ? checked.words : fault
  return (
    <div>
      <TextInput
        label="Phone number"
        description="+1 or +91 and ten digits. Spaces and dashes do no harm."
        placeholder="+1 500 555 0001"
        type="tel"
        autoComplete="off"
        required
        withAsterisk={false}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <div className="number-state" aria-live="polite">
        {checked.state === 'good' && (
          <Mark tone="good">
            {numberText(checked.number)} · {countries[checked.country]}
          </Mark>
        )}
        {checked.state === 'unfinished' && !fault && <span className="dimmed small">{checked.hint}</span>}
      </div>
    </div>
  )
}
