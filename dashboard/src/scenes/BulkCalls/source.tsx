import { Button, FileButton, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../ui/icons.tsx'
import { decodeText } from './csv.ts'
import { download } from './download.ts'
import { templateCsv } from './result-csv.ts'

const mostBytes = 2_000_000

/** A file, or rows pasted from a spreadsheet. */
export function Source({ onText }: { onText: (text: string) => void }) {
  const [pasted, setPasted] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const open = async (file: File | null) => {
    if (!file) return
    if (file.size > mostBytes) {
      setFault('The file is larger than 2 MB. Cut it into several.')
      return
    }
    setFault(null)
    onText(decodeText(new Uint8Array(await file.arrayBuffer())))
  }
  return (
    <div className="bulk-source">
      <Text>
        The first row names the columns. One has to hold phone numbers; columns we do not know are told to the agent
        under their heading.
      </Text>
      <div className="form-actions">
        <FileButton
          onChange={(file) => void open(file)}
          accept=".csv,.tsv,.txt,text/csv"
          inputProps={{ 'aria-label': 'CSV file' }}
        >
          {(props) => (
            <Button {...props} leftSection={<Icon name="inbox" size={16} />}>
              Choose a file
            </Button>
          )}
        </FileButton>
        <Button
          variant="default"
          leftSection={<Icon name="download" size={16} />}
          onClick={() => download('parley-calls.csv', templateCsv())}
        >
          Download a template
        </Button>
      </div>
      {fault && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {fault}
        </Text>
      )}
      <Textarea
        label="Or paste rows here"
        autosize
        minRows={4}
        maxRows={12}
        placeholder={'contact_number,contact_name\n+15005550001,Maya Rao'}
        value={pasted}
        onChange={(event) => setPasted(event.currentTarget.value)}
      />
      <Button variant="default" disabled={pasted.trim() === ''} onClick={() => onText(pasted)}>
        Check the rows
      </Button>
    </div>
  )
}
