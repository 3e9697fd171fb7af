import { Box, Group, Text } from '@mantine/core'

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 })

/** A share of the total, as a bar and a percentage. */
export function ShareBar({ part, whole }: { part: number; whole: number }) {
  const share = whole > 0 ? part / whole : 0
  return (
    <Group gap="xs" wrap="nowrap">
      <Box aria-hidden h={6} w={96} bg="var(--atelier-border)" style={{ borderRadius: 3, overflow: 'hidden' }}>
        <Box h="100%" w={`${share * 100}%`} bg="var(--mantine-primary-color-filled)" style={{ borderRadius: 3 }} />
      </Box>
      <Text span size="xs" c="dimmed" className="tabular">
        {share > 0 && share < 0.005 ? 'under 1%' : percent.format(share)}
      </Text>
    </Group>
  )
}
