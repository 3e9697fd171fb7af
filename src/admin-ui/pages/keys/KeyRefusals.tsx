import { Anchor, Text } from '@mantine/core'
import type { ResultOf } from 'gql.tada'
import { useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { graphql } from '../../api/graphql.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { BlockSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'

const KeyRefusalsQuery = graphql(`
  query KeyRefusals($id: ID!) {
    apiKey(id: $id) {
      id
      refusals {
        code
        count
        lastAt
      }
    }
  }
`)

type Refusal = NonNullable<ResultOf<typeof KeyRefusalsQuery>['apiKey']>['refusals'][number]

const figures = new Intl.NumberFormat()

const columns: Column<Refusal>[] = [
  {
    name: 'Code',
    cell: ({ code }) => (
      <Anchor href={`/docs/errors#${code}`} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {code}
      </Anchor>
    ),
  },
  { name: 'Requests', align: 'right', cell: ({ count }) => figures.format(count) },
  { name: 'Last', cell: ({ lastAt }) => <Moment at={lastAt} /> },
]

/** The refused requests of a key in 30 days, by code. */
export function KeyRefusals({ keyId }: { keyId: string }) {
  const [{ data, error }] = useQuery({ query: KeyRefusalsQuery, variables: { id: keyId }, requestPolicy: 'cache-and-network' })
  const rows = data?.apiKey?.refusals
  if (error) return <ErrorNotice title="The refusals could not be loaded" failure={failureOf(error)} />
  if (!rows) return <BlockSkeleton height={60} />
  if (rows.length === 0) return <Text c="dimmed">No request of this key was refused in 30 days.</Text>
  return <DataTable label="Refusals by code" columns={columns} rows={rows} keyOf={({ code }) => code} />
}
