import { Box, Stack, Text, Title } from '@mantine/core'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import type { Family } from './catalogQueries.ts'
import { type Control, type Field, fieldsOf, formatLimits, formatOption } from './schemaFields.ts'

type Row = Field & { path: string; takenBy: string }

/** All that requests to the family may set under `parameters`. */
export function ParametersTable({ family }: { family: Family }) {
  const rows = rowsOf(family)
  if (rows.length === 0) return null
  return (
    <Box component="section" aria-label="Parameters">
      <Title order={2} mb="xs">
        Parameters
      </Title>
      <DataTable label="Parameters" columns={columns} rows={rows} keyOf={({ path }) => path} />
    </Box>
  )
}

function rowsOf({ variants }: Family): Row[] {
  const found = new Map<string, { field: Field; takenBy: string[] }>()
  for (const { parameters, label } of variants) {
    for (const field of fieldsOf(parameters)) {
      const known = found.get(field.name) ?? { field, takenBy: [] }
      found.set(field.name, { field, takenBy: [...known.takenBy, label] })
    }
  }
  return [...found.values()].flatMap(({ field, takenBy }) =>
    rowsBelow(field, field.name, takenBy.length === variants.length ? 'all variants' : takenBy.join('; ')),
  )
}

/** A group and then what is in it, each with its whole path. */
function rowsBelow(field: Field, path: string, takenBy: string): Row[] {
  const inner = field.control.kind === 'group' ? field.control.fields : []
  return [{ ...field, path, takenBy }, ...inner.flatMap((each) => rowsBelow(each, `${path}.${each.name}`, takenBy))]
}

const shownOptions = 8

/** What a parameter takes; a long list of values on demand. */
function Limits({ control }: { control: Control }) {
  const words = (
    <Text size="sm" maw={340} style={{ overflowWrap: 'anywhere' }}>
      {formatLimits(control)}
    </Text>
  )
  if (!('options' in control) || control.options.length <= shownOptions) return words
  return (
    <details>
      <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
        {control.options.length} values
      </Text>
      {words}
    </details>
  )
}

const columns: Column<Row>[] = [
  {
    name: 'Parameter',
    cell: ({ path, label, required }) => (
      <Stack gap={0}>
        <Text ff="monospace" size="xs" fw={500}>
          {path}
        </Text>
        <Text size="xs" c="dimmed">
          {required ? `${label}, required` : label}
        </Text>
      </Stack>
    ),
  },
  {
    name: 'Takes',
    cell: ({ control }) => <Limits control={control} />,
  },
  {
    name: 'Default',
    cell: ({ standard }) =>
      standard === undefined ? (
        <Text c="dimmed">none</Text>
      ) : (
        <Text ff="monospace" size="xs">
          {formatOption(standard)}
        </Text>
      ),
  },
  {
    name: 'What it does',
    cell: ({ description }) => (
      <Text size="sm" maw={360}>
        {description ?? '–'}
      </Text>
    ),
  },
  {
    name: 'Taken by',
    cell: ({ takenBy }) => (
      <Text size="sm" c="dimmed" maw={220}>
        {takenBy}
      </Text>
    ),
  },
]
