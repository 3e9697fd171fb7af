import { Anchor, Group, Switch, Text, Title } from '@mantine/core'
import { IconReceipt } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { askOperatorTo } from '../../ui/feedback/askOperator.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { RowsSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import { LoadMore } from '../../ui/table/LoadMore.tsx'
import { usePagedQuery } from '../../ui/table/usePagedQuery.ts'
import { oneOf, useUrlFilters } from '../../ui/table/useUrlFilters.ts'
import { type LedgerLine, LedgerQuery } from './teamQueries.ts'

const kinds = { credits: oneOf('added') }

const columns: Column<LedgerLine>[] = [
  { name: 'When', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { name: 'What', cell: (line) => <span style={{ whiteSpace: 'nowrap' }}>{statementLine(line).word}</span> },
  { name: 'For', cell: (line) => <Subject line={line} /> },
  { name: 'Available', align: 'right', cell: (line) => <Change amount={statementLine(line).available} /> },
  { name: 'Held', align: 'right', cell: (line) => <Change amount={statementLine(line).held} /> },
  { name: 'Spent', align: 'right', cell: (line) => <Change amount={statementLine(line).spent} plain /> },
]

/** The ledger of the team, newest entry first. */
export function Statement() {
  const { id } = useTeam()
  const [filters, setFilters] = useUrlFilters(kinds)
  const grantsOnly = filters.credits === 'added'
  const { rows, failure, hasMore, isLoadingMore, loadMore, reload } = usePagedQuery({
    query: LedgerQuery,
    variables: { team: id, grantsOnly, after: null },
    pageOf: (data) => data.team?.ledger,
  })
  return (
    <section aria-labelledby="statement">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="statement">
          Statement
        </Title>
        <Switch
          label="Only added credits"
          checked={grantsOnly}
          onChange={({ currentTarget: { checked } }) => setFilters({ credits: checked ? 'added' : undefined })}
        />
      </Group>
      {failure && !rows && <ErrorNotice title="The statement could not be loaded" failure={failure} onRetry={reload} />}
      {!rows && !failure && <RowsSkeleton rows={5} />}
      {rows?.length === 0 && (
        <EmptyState icon={IconReceipt} title="No credits have moved yet">
          Added, held, charged and returned credits are listed here. {askOperatorTo('add some')}
        </EmptyState>
      )}
      {rows !== undefined && rows.length > 0 && (
        <>
          <DataTable label="Statement" columns={columns} rows={rows} keyOf={(line) => line.id} />
          {failure && <ErrorNotice title="More of the statement could not be loaded" failure={failure} onRetry={loadMore} />}
          <LoadMore hasMore={hasMore} loading={isLoadingMore} onMore={loadMore} />
        </>
      )}
    </section>
  )
}

/** The generation of the entry, or the note of a grant. */
function Subject({ line: { generationId, familyId, key, note } }: { line: LedgerLine }) {
  const { id } = useTeam()
  if (generationId === null) return <span style={{ overflowWrap: 'anywhere' }}>{note ?? '–'}</span>
  return (
    <>
      <Anchor component={Link} to={paths.screen(id, 'history', { generation: generationId })} inherit title={generationId}>
        {familyId ?? 'Generation'}
      </Anchor>
      {key !== null && (
        <Text span c="dimmed" ml={8}>
          by {key.name}
        </Text>
      )}
    </>
  )
}

const signed = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2, signDisplay: 'exceptZero' })
const unsigned = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })

/** The change of a balance. */
function Change({ amount, plain = false }: { amount: number; plain?: boolean }) {
  if (amount === 0)
    return (
      <Text span inherit c="dimmed">
        –
      </Text>
    )
  return (
    <Text span inherit className="tabular">
      {(plain ? unsigned : signed).format(amount).replace('-', '−')}
    </Text>
  )
}

/** A ledger entry and its change of the two balances of a team. */
type StatementLine = { word: string; available: number; held: number; spent: number }

/** A hold moves available credits to held. Its end either charges or releases them. */
const moves: Record<LedgerLine['kind'], { word: string; available: -1 | 0 | 1; held: -1 | 0 | 1; spent: 0 | 1 }> = {
  GRANT: { word: 'Added', available: 1, held: 0, spent: 0 },
  HOLD: { word: 'Held for work', available: -1, held: 1, spent: 0 },
  CAPTURE: { word: 'Charged', available: 0, held: -1, spent: 1 },
  RELEASE: { word: 'Returned', available: 1, held: -1, spent: 0 },
}

function statementLine({ kind, credits }: Pick<LedgerLine, 'kind' | 'credits'>): StatementLine {
  const { word, available, held, spent } = moves[kind]
  return {
    word: kind === 'GRANT' && credits < 0 ? 'Taken away' : word,
    available: available * credits || 0,
    held: held * credits || 0,
    spent: spent * credits,
  }
}
