import { Text } from '@mantine/core'
import { Moment } from '../../ui/display/Moment.tsx'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import { actionLabel, actorLabel, subjectLabel } from './auditLabels.ts'
import type { AuditEntry } from './auditQuery.ts'

const columns: Column<AuditEntry>[] = [
  { name: 'What', width: 200, cell: ({ action }) => <Cut text={actionLabel(action)} /> },
  { name: 'Subject', cell: (entry) => <Cut text={subjectLabel(entry)} /> },
  { name: 'Who', width: 200, cell: (entry) => <Cut text={actorLabel(entry)} /> },
  { name: 'From', width: 150, cell: ({ address }) => <Cut text={address ?? '–'} /> },
  { name: 'Time', width: 150, cell: ({ time }) => <Moment at={time} /> },
]

/** The audit log. A click on a row opens its entry. */
export function AuditTable({
  entries,
  selected,
  onOpen,
}: {
  entries: readonly AuditEntry[]
  selected: string | undefined
  onOpen(id: string): void
}) {
  return (
    <DataTable
      label="Audit log"
      columns={columns}
      rows={entries}
      keyOf={({ id }) => id}
      onOpen={({ id }) => onOpen(id)}
      selected={selected}
    />
  )
}

/** Truncated to one line, with the full text on hover. */
function Cut({ text }: { text: string }) {
  return (
    <Text size="sm" truncate maw={280} title={text}>
      {text}
    </Text>
  )
}
