import { Box, Text } from '@mantine/core'
import { Credits } from '../../ui/display/Credits.tsx'
import classes from './GenerationDetails.module.css'
import { isOpen, isRecorded } from './generationLabels.ts'
import type { Generation } from './historyQuery.ts'

/** The price, and how much of it is held, charged and returned. */
export function GenerationCost({ generation }: { generation: Generation }) {
  if (isRecorded(generation)) {
    return (
      <Text size="sm" c="dimmed">
        Started in the editor, which charges it separately.
      </Text>
    )
  }
  return (
    <Box>
      <Text size="sm" fw={500} mb={4}>
        Cost
      </Text>
      <dl className={classes.costs}>
        {linesOf(generation).map(({ name, amount }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Credits amount={amount} unit />
            </dd>
          </div>
        ))}
      </dl>
    </Box>
  )
}

type Line = { name: string; amount: number }

function linesOf(generation: Generation): Line[] {
  const { credits, creditsHeld, creditsCharged } = generation
  const price = { name: 'Price', amount: credits }
  if (isOpen(generation)) return [price, { name: 'Held until it ends', amount: creditsHeld }]
  const charged = creditsCharged ?? 0
  return [price, { name: 'Charged', amount: charged }, ...(charged < credits ? [{ name: 'Returned', amount: credits - charged }] : [])]
}
