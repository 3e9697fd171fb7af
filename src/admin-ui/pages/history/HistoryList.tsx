import { Button, Group, Text } from '@mantine/core'
import { Moment } from '../../ui/display/Moment.tsx'
import { LoadMore } from '../../ui/table/LoadMore.tsx'
import { HistoryTable } from './HistoryTable.tsx'
import { type HistoryFilters, isNarrowed, noFilters } from './historyFilters.ts'
import type { HistoryRow } from './historyQuery.ts'
import { NoGenerations, NoMatchingGenerations } from './NoGenerations.tsx'
import type { useHistory } from './useHistory.ts'

export type HistoryListProps = {
  history: ReturnType<typeof useHistory> & { rows: HistoryRow[] }
  teamId: string
  filters: HistoryFilters
  onFilters(changed: Partial<HistoryFilters>): void
}

/** The rows or an empty state, with new rows above and more rows below. */
export function HistoryList({ history, teamId, filters, onFilters }: HistoryListProps) {
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
