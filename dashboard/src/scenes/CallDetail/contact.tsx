import { Text } from '@mantine/core'
import type { Call } from '@parley/contract/calls'
import { CopyId } from '../../ui/copy-id.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { valueText } from './values.ts'

/** Whom the call is with, and what was sent along with it. */
export function Contact({ call }: { call: Call }) {
  const info = Object.entries(call.additional_info ?? {})
  return (
    <>
      <Facts>
        <Fact name="Name">
          <span className="foreign">{call.contact_name || '–'}</span>
        </Fact>
        <Fact name="Number">{call.contact_number ? <CopyId id={call.contact_number} label="number" /> : '–'}</Fact>
        <Fact name="E-mail">
          <span className="foreign">{call.contact_email ?? '–'}</span>
        </Fact>
        <Fact name="Language">{call.contact_preferred_language ?? 'The agent’s own'}</Fact>
      </Facts>
      <h3 className="sub">Additional information</h3>
      {info.length === 0 ? (
        <Text c="dimmed" size="sm">
          Nothing was sent along.
        </Text>
      ) : (
        <Facts>
          {info.map(([name, value]) => (
            <Fact key={name} name={name}>
              <span className="foreign">{valueText(value)}</span>
            </Fact>
          ))}
        </Facts>
      )}
    </>
  )
}
