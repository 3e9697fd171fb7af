import { useTeam } from '../../api/viewer.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { RowsSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { PageHeading } from '../../ui/layout/PageHeading.tsx'
import { useUrlFilters } from '../../ui/table/useUrlFilters.ts'
import { GenerationPanel } from './GenerationPanel.tsx'
import { HistoryFilterBar } from './HistoryFilterBar.tsx'
import { HistoryList } from './HistoryList.tsx'
import { historyKinds, variablesOf } from './historyFilters.ts'
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
        onLoaded={(row) => history.tell(row)}
      />
    </>
  )
}
