import { Alert, Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** Shown when a change was sent and no answer came: how to find out whether it was done. */
export function UnknownOutcomeNotice({
  title,
  action,
  onAct,
  children,
}: {
  title: string
  action: string
  onAct(): void
  children: ReactNode
}) {
  return (
    <Alert color="orange" variant="light" role="alert" title={title}>
      <Text size="sm">{children}</Text>
      <Button mt="sm" size="xs" variant="default" onClick={onAct}>
        {action}
      </Button>
    </Alert>
  )
}
