import { Button, Text, Title } from '@mantine/core'

export function NotFound() {
  return (
    <>
      <Title order={1} tabIndex={-1} data-arrival>
        Page not found
      </Title>
      <Text c="dimmed" mt="xs">
        There is nothing at this address. It may have been mistyped.
      </Text>
      <Button component="a" href="/" mt="lg">
        Go to Home
      </Button>
    </>
  )
}
