import { Alert, Text } from '@mantine/core'
import { Code } from './code.tsx'
import { Icon } from './icons.tsx'

/** A secret is shown when it is made and never again. */
export function SecretOnce({ name, secret }: { name: string; secret: string }) {
  return (
    <Alert color="parley" title={`Copy the ${name} now`} icon={<Icon name="key" />}>
      <Text size="sm" mb="xs">
        It is shown this one time. We keep only what is needed to recognise it.
      </Text>
      <Code text={secret} label={name} />
    </Alert>
  )
}
