import { Alert, Button, Text } from '@mantine/core'
import type { Failure } from '../../api/failure.ts'
import { UpdateNotice } from './UpdateNotice.tsx'

export type ErrorNoticeProps = {
  failure: Failure
  /** What failed: "Keys could not be loaded". */
  title?: string
  onRetry?(): void
}

/** An error message, with the request id for the operator. */
export function ErrorNotice({ failure, title, onRetry }: ErrorNoticeProps) {
  if (failure.code === 'other_version') return <UpdateNotice onRetry={onRetry} />
  return (
    <Alert color="red" variant="light" title={title} role="alert">
      <Text size="sm">{failure.message}</Text>
      {failure.requestId !== undefined && (
        <Text size="xs" c="dimmed" mt={4}>
          Request{' '}
          <Text span ff="monospace" size="xs" style={{ overflowWrap: 'anywhere' }}>
            {failure.requestId}
          </Text>
        </Text>
      )}
      {onRetry && (
        <Button mt="sm" size="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert>
  )
}
