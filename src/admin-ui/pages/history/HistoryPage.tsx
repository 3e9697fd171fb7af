import { Box, Button, Group, Text } from '@mantine/core'
import { IconFilterOff, IconPhotoSpark } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { CodeBlock } from '../../ui/display/CodeBlock.tsx'
import { Moment } from '../../ui/display/Moment.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { RowsSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { PageHeading } from '../../ui/layout/PageHeading.tsx'
import { LoadMore } from '../../ui/table/LoadMore.tsx'
import { useUrlFilters } from '../../ui/table/useUrlFilters.ts'
import { GenerationPanel } from './GenerationPanel.tsx'
import { HistoryFilterBar } from './HistoryFilterBar.tsx'
import { HistoryTable } from './HistoryTable.tsx'
import { type HistoryFilters, historyKinds, isNarrowed, noFilters, variablesOf } from './historyFilters.ts'
import type { HistoryRow } from './historyQuery.ts'
import { useHistory } from './useHistory.ts'

/** All generations of the team, from any source. Contract: docs/contract.md#pages. */
export function HistoryPage() {
  const team = useTeam()
  const [filters, setFilters] = useUrlFilters(historyKinds)
  const history = useHistory(variablesOf(team.id, filters))
  const { rows, failure } = history
  return (
    <>
      <PageHeading title="History" description="Everything that your team has generated, by program, agent or editor." />
      <HistoryFilterBar teamId={team.id} filters={filters} rows={rows ?? []} onChange={setFilters} />
      {failure && <ErrorNotice title="The history could not be loaded" failure={failure} onRetry={history.reload} />}
      {rows ? (
        <HistoryList history={{ ...history, rows }} teamId={team.id} filters={filters} onFilters={setFilters} />
      ) : (
        !failure && <RowsSkeleton rows={8} height={65} />
      )}
      <GenerationPanel
        generationId={filters.generation}
        onClose={() => setFilters({ generation: undefined })}
        onLoaded={(row) => history.replaceRow(row)}
      />
    </>
  )
}

type HistoryListProps = {
  history: ReturnType<typeof useHistory> & { rows: HistoryRow[] }
  teamId: string
  filters: HistoryFilters
  onFilters(changed: Partial<HistoryFilters>): void
}

/** The rows or an empty state, with new rows above and more rows below. */
function HistoryList({ history, teamId, filters, onFilters }: HistoryListProps) {
  const { rows, newer, isStale, hasMore, lookedBackTo } = history
  const narrowed = isNarrowed(filters)
  const nothing = narrowed ? (
    <NoMatchingGenerations lookedBackTo={lookedBackTo} onClear={() => onFilters(noFilters)} />
  ) : (
    <NoGenerations teamId={teamId} />
  )
  return (
    <>
      {newer.length > 0 && (
        <Group justify="center" mb="xs">
          <Button size="xs" variant="light" onClick={history.showNewer}>
            {newer.length === 1 ? 'Show 1 new generation' : `Show ${newer.length} new generations`}
          </Button>
        </Group>
      )}
      <div style={isStale ? { opacity: 0.5 } : undefined} aria-busy={isStale}>
        {rows.length > 0 ? (
          <HistoryTable rows={rows} selected={filters.generation} onOpen={({ generationId }) => onFilters({ generation: generationId })} />
        ) : (
          !isStale && nothing
        )}
      </div>
      <LoadMore hasMore={hasMore} loading={history.isLoadingMore} onMore={history.loadMore} />
      {hasMore && narrowed && (
        <Text size="xs" c="dimmed" ta="center">
          Searched back to <Moment at={lookedBackTo} />
        </Text>
      )}
    </>
  )
}

/** Replaces an empty history. */
function NoGenerations({ teamId }: { teamId: string }) {
  return (
    <>
      <EmptyState
        icon={IconPhotoSpark}
        title="No generation yet"
        action={
          <Button component={Link} to={paths.screen(teamId, 'catalog')}>
            Choose a model
          </Button>
        }
      >
        Generations of your programs, agents and editor appear here with their cost. Choose a model, or start with this command and an API
        key.
      </EmptyState>
      <Box maw={720} mx="auto">
        <CodeBlock label="First generation" code={firstCurl()} />
      </Box>
    </>
  )
}

/** Replaces a history in which nothing matches the filters. */
function NoMatchingGenerations({ lookedBackTo, onClear }: { lookedBackTo: string | null; onClear(): void }) {
  return (
    <EmptyState
      icon={IconFilterOff}
      title="Nothing fits these filters"
      action={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      {lookedBackTo === null ? (
        'No generation of this team matches all filters.'
      ) : (
        <>
          None since <Moment at={lookedBackTo} /> matches all filters. There may be older ones.
        </>
      )}
    </EmptyState>
  )
}

function firstCurl(): string {
  return `curl -s '${location.origin}/api/v1/generations?wait=60' \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{ "familyId": "sandbox-image", "prompt": "A lighthouse at dusk" }'`
}
