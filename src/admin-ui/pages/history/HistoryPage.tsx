import { Button, Group, SegmentedControl, Text } from '@mantine/core'
import { lazy, useEffect, useState } from 'react'
import { useClient } from 'urql'
import { useTeam } from '../../api/viewer.ts'
import { descriptions } from '../../paths.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { LazyPart } from '../../ui/feedback/LazyPart.tsx'
import { RowsSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { PageHeading } from '../../ui/layout/PageHeading.tsx'
import { ExportButton } from '../../ui/table/ExportButton.tsx'
import { LoadMore } from '../../ui/table/LoadMore.tsx'
import { useFrozenNow } from '../../ui/table/timeRange.ts'
import { useUrlFilters } from '../../ui/table/useUrlFilters.ts'
import { whenIdle } from '../../ui/whenIdle.ts'
import { ChosenActions } from './ChosenActions.tsx'
import { csvHeader, readRows } from './exportHistory.ts'
import { HistoryCount } from './HistoryCount.tsx'
import { HistoryFilterBar } from './HistoryFilterBar.tsx'
import { HistoryGrid } from './HistoryGrid.tsx'
import { HistoryTable, type HistoryTableProps } from './HistoryTable.tsx'
import { type HistoryFilters, historyKinds, isNarrowed, noFilters, variablesOf } from './historyFilters.ts'
import type { HistoryRow, HistoryVariables } from './historyQuery.ts'
import { NoGenerations, NoMatchingGenerations } from './NoGenerations.tsx'
import { useHistory } from './useHistory.ts'

/** The panel is loaded after the rows. */
const loadPanel = () => import('./GenerationPanel.tsx')
const GenerationPanel = lazy(async () => ({ default: (await loadPanel()).GenerationPanel }))

/** All generations of the team, from any source. Contract: docs/contract.md#pages. */
export function HistoryPage() {
  const team = useTeam()
  const [filters, setFilters] = useUrlFilters(historyKinds, 'generation')
  const now = useFrozenNow(filters.period)
  const variables = variablesOf(team.id, filters, now)
  const history = useHistory(variables)
  const { rows, failure } = history
  const wasPanelOpened = usePanelOpened(filters.generation !== undefined, rows !== undefined)
  return (
    <>
      <PageHeading title="History" description={descriptions.history} />
      <HistoryFilterBar
        teamId={team.id}
        filters={filters}
        rows={rows ?? []}
        isLoading={!rows && !failure}
        now={now}
        onChange={setFilters}
      />
      <ListBar history={history} variables={variables} filters={filters} onFilters={setFilters} />
      {failure && <ErrorNotice title="The history could not be loaded" failure={failure} onRetry={history.reload} />}
      {rows ? (
        <HistoryList history={{ ...history, rows }} variables={variables} filters={filters} onFilters={setFilters} />
      ) : (
        !failure && <RowsSkeleton rows={8} height={65} />
      )}
      <LazyPart>
        {wasPanelOpened && (
          <GenerationPanel
            generationId={filters.generation}
            onClose={() => setFilters({ generation: undefined })}
            onLoaded={(row) => history.replaceRow(row)}
          />
        )}
      </LazyPart>
    </>
  )
}

/** True once the panel was opened. Loads its code when the rows are shown; if that fails, the opened panel shows the failure. */
function usePanelOpened(isOpen: boolean, hasRows: boolean): boolean {
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)
  useEffect(() => {
    if (hasRows) void whenIdle(loadPanel).catch(() => undefined)
  }, [hasRows])
  return wasOpen || isOpen
}

type HistoryListProps = {
  history: ReturnType<typeof useHistory> & { rows: HistoryRow[] }
  variables: HistoryVariables
  filters: HistoryFilters
  onFilters(changed: Partial<HistoryFilters>): void
}

/** The rows or an empty state, with new rows above and more rows below. */
function HistoryList({ history, variables, filters, onFilters }: HistoryListProps) {
  const { rows, newer, isStale, hasMore, lookedBackTo } = history
  const { mayManage } = useTeam()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const chosenRows = rows.filter(({ generationId }) => chosen.has(generationId))
  const clear = () => setChosen(new Set())
  const open = ({ generationId }: HistoryRow) => onFilters({ generation: generationId })
  const narrowed = isNarrowed(filters)
  const nothing = narrowed ? (
    <NoMatchingGenerations
      searchedBackTo={hasMore ? lookedBackTo : null}
      isSearching={history.isLoadingMore}
      onSearchOlder={history.loadMore}
      onClear={() => onFilters(noFilters)}
    />
  ) : (
    <NoGenerations teamId={variables.teamId} />
  )
  return (
    <>
      {chosenRows.length > 0 && (
        <ChosenActions
          rows={chosenRows}
          hasMoreToChoose={hasMore && chosenRows.length === rows.length}
          isLoadingMore={history.isLoadingMore}
          onLoadMore={history.loadMore}
          onClear={clear}
          onDone={(affected, refused) => {
            setChosen(new Set(refused.map(({ generationId }) => generationId)))
            void history.refreshRows(affected)
          }}
        />
      )}
      {newer.length > 0 && (
        <Group justify="center" mb="xs">
          <Button size="xs" variant="light" onClick={history.showNewer}>
            {newer.length === 1 ? 'Show 1 new generation' : `Show ${newer.length} new generations`}
          </Button>
        </Group>
      )}
      <div style={isStale ? { opacity: 0.5 } : undefined} aria-busy={isStale}>
        {rows.length > 0 ? (
          <Rows
            {...{ rows, isGrid: filters.view === 'grid', selected: filters.generation, onOpen: open }}
            choice={mayManage ? { chosen, nameOf: ({ prompt, familyId }) => prompt || familyId, onChange: setChosen } : undefined}
          />
        ) : (
          !isStale && nothing
        )}
      </div>
      {rows.length > 0 && <OlderRows history={history} narrowed={narrowed} />}
    </>
  )
}

/** The button for older rows. After filters, also how far the shown rows reach. */
function OlderRows({ history, narrowed }: { history: ReturnType<typeof useHistory>; narrowed: boolean }) {
  const { hasMore, isSearchCut, isLoadingMore, loadMore, lookedBackTo } = history
  return (
    <>
      <LoadMore
        hasMore={hasMore}
        loading={isLoadingMore}
        onMore={loadMore}
        label={isSearchCut ? 'Search older generations' : 'Load more'}
      />
      {hasMore && narrowed && (
        <Text size="xs" c="dimmed" ta="center">
          Searched back to <Moment at={lookedBackTo} />
        </Text>
      )}
    </>
  )
}

function Rows({ isGrid, ...table }: HistoryTableProps & { isGrid: boolean }) {
  return isGrid ? <HistoryGrid {...table} /> : <HistoryTable {...table} />
}

type ListBarProps = Omit<HistoryListProps, 'history'> & { history: ReturnType<typeof useHistory> }

/** The count of the rows, a button that clears the filters, the view, and the export of all filtered rows. */
function ListBar({ history: { rows, isStale, hasMore }, variables, filters, onFilters }: ListBarProps) {
  const client = useClient()
  return (
    <Group gap="sm" mb="sm" mih={36} justify="space-between">
      <Group gap="sm">
        {rows && !isStale && <HistoryCount variables={variables} rows={rows} hasMore={hasMore} />}
        {isNarrowed(filters) && (
          <Button variant="subtle" color="gray" px="xs" onClick={() => onFilters(noFilters)}>
            Clear filters
          </Button>
        )}
      </Group>
      <Group gap="sm">
        <SegmentedControl
          aria-label="View"
          size="xs"
          data={['List', 'Grid']}
          value={filters.view === 'grid' ? 'Grid' : 'List'}
          onChange={(view) => onFilters({ view: view === 'Grid' ? 'grid' : undefined })}
        />
        <ExportButton
          fileName="history"
          rowNames={['generation', 'generations']}
          header={csvHeader}
          readPage={(after) => readRows(client, variables, after)}
        />
      </Group>
    </Group>
  )
}
