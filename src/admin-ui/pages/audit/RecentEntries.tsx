import { Text } from '@mantine/core'
import type { ResultOf } from 'gql.tada'
import { useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { graphql } from '../../api/graphql.ts'
import { useTeam } from '../../api/viewer.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { RowsSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import { actionLabel, actorLabel } from './auditLabels.ts'
import { Subject } from './Subject.tsx'

const RecentEntriesQuery = graphql(`
  query RecentEntries($team: ID!, $subjectId: ID, $actorId: ID) {
    team(id: $team) {
      id
      auditLog(first: 10, subjectId: $subjectId, actorId: $actorId) {
        nodes {
          id
          time
          action
          actorKind
          actorId
          actorName
          tool
          subjectId
          subjectName
        }
      }
    }
  }
`)

type Entry = NonNullable<ResultOf<typeof RecentEntriesQuery>['team']>['auditLog']['nodes'][number]

const onSubject: Column<Entry>[] = [
  { name: 'When', cell: ({ time }) => <Moment at={time} /> },
  { name: 'What', cell: ({ action }) => actionLabel(action) },
  { name: 'Who', cell: (entry) => actorLabel(entry) },
]
const byActor: Column<Entry>[] = [
  { name: 'When', cell: ({ time }) => <Moment at={time} /> },
  { name: 'What', cell: ({ action }) => actionLabel(action) },
  { name: 'On', cell: (entry) => <Subject entry={entry} /> },
]

/** The last changes of one object, or by one person. */
export function RecentEntries({ subjectId, actorId }: { subjectId: string; actorId?: never } | { subjectId?: never; actorId: string }) {
  const { id: team } = useTeam()
  const [{ data, error }] = useQuery({
    query: RecentEntriesQuery,
    variables: { team, subjectId: subjectId ?? null, actorId: actorId ?? null },
    requestPolicy: 'cache-and-network',
  })
  const entries = data?.team?.auditLog.nodes
  if (error && !entries) return <ErrorNotice title="The audit log could not be loaded" failure={failureOf(error)} />
  if (!entries) return <RowsSkeleton rows={3} />
  if (entries.length === 0) return <Text c="dimmed">No entries.</Text>
  return <DataTable label="Audit log" columns={subjectId === undefined ? byActor : onSubject} rows={entries} keyOf={({ id }) => id} />
}
