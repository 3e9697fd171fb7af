import { Paper, SimpleGrid, Text } from '@mantine/core'
import { Credits } from '../../ui/display/Credits.tsx'
import { type Figures, successRate } from './usageFigures.ts'

const count = new Intl.NumberFormat()

/** The totals of the period. */
export function TotalFigures({ total }: { total: Figures }) {
  const shown = [
    { name: 'Credits', value: <Credits amount={total.creditsCharged} /> },
    ...(['generations', 'ready', 'failed', 'cancelled'] as const).map((each) => ({
      name: `${each.charAt(0).toUpperCase()}${each.slice(1)}`,
      value: <span className="tabular">{count.format(total[each])}</span>,
    })),
    { name: 'Success rate', value: <span className="tabular">{successRate(total)}</span> },
  ]
  return (
    <Paper withBorder px="md" py="sm" component="section" aria-label="Sum">
      <SimpleGrid cols={{ base: 2, xs: 3, sm: 6 }} spacing="md" verticalSpacing="xs" component="dl" m={0}>
        {shown.map(({ name, value }) => (
          <div key={name}>
            <Text component="dt" size="xs" c="dimmed">
              {name}
            </Text>
            <Text component="dd" m={0} size="xl" fw={600}>
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Paper>
  )
}
