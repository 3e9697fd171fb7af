import { Button, Center } from '@mantine/core'

/** The button that loads the next page of a list. */
export function LoadMore({ hasMore, loading, onMore }: { hasMore: boolean; loading: boolean; onMore(): void }) {
  if (!hasMore) return null
  return (
    <Center py="md">
      <Button variant="default" loading={loading} onClick={onMore}>
        Load more
      </Button>
    </Center>
  )
}
