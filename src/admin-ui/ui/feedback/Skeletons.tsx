import { Box, Group, Skeleton, Stack } from '@mantine/core'

/** Shown while the code of a page loads. */
export function PageSkeleton() {
  return (
    <Box aria-hidden>
      <Skeleton h={28} w={180} mb="xl" />
      <RowsSkeleton />
    </Box>
  )
}

/** Shown while a list loads, with the height of its rows. */
export function RowsSkeleton({ rows = 6, height = 44 }: { rows?: number; height?: number }) {
  return (
    <Stack gap={0} aria-hidden>
      {Array.from({ length: rows }, (_, row) => (
        <Group key={row} h={height} gap="lg" wrap="nowrap" style={{ borderBottom: '1px solid var(--atelier-border)' }}>
          <Skeleton h={12} w="28%" />
          <Skeleton h={12} w="18%" />
          <Skeleton h={12} w="12%" ml="auto" />
        </Group>
      ))}
    </Stack>
  )
}

/** Shown while a block such as a chart or a card loads. */
export function BlockSkeleton({ height }: { height: number }) {
  return <Skeleton h={height} aria-hidden />
}
