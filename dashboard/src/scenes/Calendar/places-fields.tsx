import { NumberInput } from '@mantine/core'

interface PlacesFieldsProps {
  max: number
  ai: number
  faults?: Record<string, string>
  onChange: (max: number, ai: number) => void
}

const whole = (value: string | number): number => Math.max(0, Math.trunc(Number(value)) || 0)

/** Two numbers that belong together: the agent's is never more than all. */
export function PlacesFields({ max, ai, faults = {}, onChange }: PlacesFieldsProps) {
  const shared = { min: 0, max: 100_000, allowDecimal: false, allowNegative: false, clampBehavior: 'strict' } as const
  return (
    <div className="pair">
      <NumberInput
        label="Places"
        value={max}
        error={faults.max_slots}
        onChange={(value) => onChange(whole(value), Math.min(ai, whole(value)))}
        {...shared}
      />
      <NumberInput
        label="AI places"
        description="At most; not kept free for it"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={ai}
        error={faults.ai_slots}
        onChange={(value) => onChange(Math.max(max, whole(value)), whole(value))}
        {...shared}
      />
    </div>
  )
}
