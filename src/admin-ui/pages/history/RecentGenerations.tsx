import { Text } from '@mantine/core'
import type { ResultOf } from 'gql.tada'
import { graphql } from '../../api/graphql.ts'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { Credits } from '../../ui/display/Credits.tsx'
import { Moment } from '../../ui/display/Moment.tsx'
import { StateBadge } from '../../ui/display/StateBadge.tsx'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'

/** The newest generations of a key, and its newest failures. */
export const RecentGenerationsQuery = graphql(`
  query RecentGenerations($team: ID!, $keyId: ID!) {
    team(id: $team) {
      id
      latest: generations(first: 10, keyId: $keyId) {
        nodes {
          generationId
          state
          familyId
          prompt
          creditsCharged
          createdAt
        }
      }
      failures: generations(first: 50, keyId: $keyId, state: FAILED) {
        nodes {
          generationId
          createdAt
          error {
            code
            reason
          }
        }
      }
    }
  }
`)

type Recent = NonNullable<ResultOf<typeof RecentGenerationsQuery>['team']>
type Row = Recent['latest']['nodes'][number]
export type RecentFailure = Recent['failures']['nodes'][number]

const columns: Column<Row>[] = [
  {
    name: 'Generation',
    cell: ({ prompt, familyId }) => (
      <Text span inherit lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
        <bdi>{prompt ?? familyId}</bdi>
      </Text>
    ),
  },
  { name: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { name: 'Credits', align: 'right', cell: ({ creditsCharged }) => (creditsCharged === null ? '–' : <Credits amount={creditsCharged} />) },
  { name: 'Started', cell: ({ createdAt }) => <Moment at={createdAt} /> },
]

/** A short table of generations. A row leads to its generation. */
export function RecentGenerations({ rows }: { rows: readonly Row[] }) {
  const { id } = useTeam()
  if (rows.length === 0) return <Text c="dimmed">Nothing yet.</Text>
  return (
    <DataTable
      label="Last generations"
      columns={columns}
      rows={rows}
      keyOf={({ generationId }) => generationId}
      linkOf={({ generationId }) => paths.generation(id, generationId)}
    />
  )
}
