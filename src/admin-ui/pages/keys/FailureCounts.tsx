import { Text } from '@mantine/core'
import { Moment } from '../../ui/display/Moment.tsx'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import type { RecentFailure } from '../history/RecentGenerations.tsx'

type Count = { code: string; count: number; lastAt: string }

const columns: Column<Count>[] = [
  {
    name: 'Code',
    cell: ({ code }) => (
      <Text span inherit ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {code}
      </Text>
    ),
  },
  { name: 'Generations', align: 'right', cell: ({ count }) => count },
  { name: 'Last', cell: ({ lastAt }) => <Moment at={lastAt} /> },
]

/** The last 50 failed generations of a key, counted by code and reason. */
export function FailureCounts({ failures }: { failures: readonly RecentFailure[] }) {
  const counts = new Map<string, Count>()
  for (const { error, createdAt } of failures) {
    const code = error ? `${error.code}/${error.reason}` : 'unknown'
    const known = counts.get(code) ?? { code, count: 0, lastAt: createdAt }
    counts.set(code, { ...known, count: known.count + 1 })
  }
  if (counts.size === 0) return <Text c="dimmed">No generation of this key has failed.</Text>
  const rows = [...counts.values()].toSorted((one, other) => other.count - one.count)
  return <DataTable label="Failures by code" columns={columns} rows={rows} keyOf={({ code }) => code} />
}
