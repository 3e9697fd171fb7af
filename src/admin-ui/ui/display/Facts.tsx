import { Paper, SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** Names with their values, in as many columns as fit. Values that are absent are left out. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <Paper withBorder p="md" bg="var(--atelier-surface)">
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2, lg: 4 }} spacing="md" verticalSpacing="sm" m={0}>
        {facts
          .filter(([, value]) => value !== undefined && value !== null)
          .map(([name, value]) => (
            <div key={name} style={{ minWidth: 0 }}>
              <Text component="dt" size="xs" c="dimmed">
                {name}
              </Text>
              <Text component="dd" m={0} style={{ overflowWrap: 'anywhere' }}>
                {value}
              </Text>
            </div>
          ))}
      </SimpleGrid>
    </Paper>
  )
}
