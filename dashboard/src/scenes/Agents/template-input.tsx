import { Button, Input, TextInput } from '@mantine/core'
import { partsOf, standingPlaceholders } from '@parley/contract/placeholders'
import { useId, useRef, useState } from 'react'
import './template-input.css'

interface TemplateInputProps {
  label: string
  description: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  rows: number
  /** Offered besides the ones every call has. */
  known: readonly string[]
}

/** A text with placeholders: marked where they stand, put in at the cursor by a click. */
export function TemplateInput({ label, description, value, onChange, error, rows, known }: TemplateInputProps) {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const [own, setOwn] = useState('')
  const insert = (key: string) => {
    const input = area.current
    if (!input || key === '') return
    input.focus()
    // Through the browser, so that undo takes it back.
    input.setRangeText(`{{${key}}}`, input.selectionStart, input.selectionEnd, 'end')
    onChange(input.value)
  }
  const chips = [...new Set([...standingPlaceholders, ...known])]
  return (
    <Input.Wrapper id={id} label={label} description={description} error={error}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a legend nobody needs */}
      <div className="chips" role="group" aria-label={`Insert into ${label.toLowerCase()}`}>
        {chips.map((key) => (
          <Button key={key} size="compact-xs" variant="default" onClick={() => insert(key)}>
            {`{{${key}}}`}
          </Button>
        ))}
        <TextInput
          size="xs"
          className="chips-own"
          aria-label={`Another placeholder for ${label.toLowerCase()}`}
          placeholder="other, then Enter"
          value={own}
          maxLength={64}
          onChange={(event) => setOwn(event.currentTarget.value.replace(/[{}]/g, ''))}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            insert(own.trim())
            setOwn('')
          }}
        />
      </div>
      <div className="template" data-error={error ? true : undefined}>
        {/* Behind the text, so that the marks scroll and wrap with it. */}
        <div className="template-marks" aria-hidden="true">
          {partsOf(value).map((part, at) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name, and are drawn anew each time
            part.isPlaceholder ? <mark key={at}>{part.text}</mark> : <span key={at}>{part.text}</span>,
          )}
          {'\n'}
        </div>
        <textarea
          ref={area}
          id={id}
          rows={rows}
          value={value}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : `${id}-description`}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </div>
    </Input.Wrapper>
  )
}
