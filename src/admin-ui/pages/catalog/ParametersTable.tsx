import { Box, Stack, Text, Title } from '@mantine/core'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import type { Family } from './catalogQueries.ts'
import { type Control, type Field, fieldsOf, formatLimits, formatOption } from './schemaFields.ts'

type Row = Field & { path: string; usedBy: string }

/** All `parameters` of the family. */
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
  const found = new Map<string, { field: Field; usedBy: string[] }>()
  for (const { parameters, label } of variants) {
    for (const field of fieldsOf(parameters)) {
      const known = found.get(field.name) ?? { field, usedBy: [] }
      found.set(field.name, { field, usedBy: [...known.usedBy, label] })
    }
  }
  return [...found.values()].flatMap(({ field, usedBy }) =>
    rowsBelow(field, field.name, usedBy.length === variants.length ? 'all variants' : usedBy.join('; ')),
  )
}

/** A group, then its members with their full path. */
function rowsBelow(field: Field, path: string, usedBy: string): Row[] {
  const inner = field.control.kind === 'group' ? field.control.fields : []
  return [{ ...field, path, usedBy }, ...inner.flatMap((each) => rowsBelow(each, `${path}.${each.name}`, usedBy))]
}

const shownOptions = 8

/** The accepted values of a parameter; a long list is expandable. */
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
    cell: ({ usedBy }) => (
      <Text size="sm" c="dimmed" maw={220}>
        {usedBy}
      </Text>
    ),
  },
]
