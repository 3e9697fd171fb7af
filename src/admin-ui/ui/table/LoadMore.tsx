import { Button, Center } from '@mantine/core'

type LoadMoreProps = {
  hasMore: boolean
  loading: boolean
  onMore(): void
  label?: string
}

/** The button that loads the next page of a list. */
export function LoadMore({ hasMore, loading, onMore, label = 'Load more' }: LoadMoreProps) {
  if (!hasMore) return null
  return (
    <Center py="md">
      <Button variant="default" loading={loading} onClick={onMore}>
        {label}
      </Button>
    </Center>
  )
}
