import { Box, Stack, Text, Title } from '@mantine/core'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import type { Family, Variant } from './catalogQueries.ts'
import { formatInputs, formatRunSeconds, taskLabel } from './familyLabels.ts'
import { formatPrice } from './formatPrice.ts'

/** The variants of a family: inputs, price and running time. */
export function VariantsTable({ family }: { family: Family }) {
  return (
    <Box component="section" aria-label="Variants">
      <Title order={2} mb="xs">
        Variants
      </Title>
      {family.axes.length > 0 && (
        <Text c="dimmed" size="sm" mb="sm" maw="80ch">
          {family.axes.map(({ label, values, default: standard }) => `${label}: ${values.join(', ')} (default: ${standard})`).join('. ')}.
        </Text>
      )}
      <DataTable label="Variants" columns={columnsFor(family)} rows={family.variants} keyOf={({ modelId }) => modelId} />
    </Box>
  )
}

function columnsFor({ axes }: Family): Column<Variant>[] {
  return [
    {
      name: 'Variant',
      cell: ({ label, modelId }) => (
        <Stack gap={0}>
          <Text fw={500}>{label}</Text>
          <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {modelId}
          </Text>
        </Stack>
      ),
    },
    { name: 'Task', cell: ({ tasks }) => tasks.map(taskLabel).join(', ') },
    ...axes.map(({ name, label }): Column<Variant> => ({ name: label, cell: (variant) => variant.axes[name] ?? '–' })),
    { name: 'Takes', cell: ({ inputs }) => formatInputs(inputs) },
    {
      name: 'Price',
      cell: ({ prices }) => (
        <Stack gap={0}>
          {prices.map((price) => (
            <Text key={formatPrice(price)} className="tabular">
              {formatPrice(price)}
            </Text>
          ))}
        </Stack>
      ),
    },
    {
      name: 'Usually takes',
      cell: ({ expectedRunSeconds }) => <span style={{ whiteSpace: 'nowrap' }}>{formatRunSeconds(expectedRunSeconds)}</span>,
    },
  ]
}
