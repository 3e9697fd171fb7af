import { Alert, Button, Text } from '@mantine/core'
import { usePollWhileVisible } from '../hooks/usePollWhileVisible.ts'

const retrySeconds = 3

/** Shown while page and service are of two releases, and with `title` for a page that has failed. With `onRetry` it tries again by itself. */
export function UpdateNotice({ title, onRetry }: { title?: string; onRetry?: (() => void) | undefined }) {
  usePollWhileVisible(onRetry && retrySeconds, async () => onRetry?.())
  return (
    <Alert color="blue" title={title ?? 'Atelier is being updated'} role="status">
      <Text size="sm">
        {title && 'Atelier was updated, or an error occurred. '}
        {onRetry ? 'The page continues by itself in a moment. If it does not, reload it.' : 'Reload the page to continue.'}
      </Text>
      <Button mt="sm" size="xs" variant="default" onClick={() => location.reload()}>
        Reload
      </Button>
    </Alert>
  )
}
