import { Text, UnstyledButton } from '@mantine/core'
import { useTeam } from '../../api/viewer.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { RowsSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { LoadMore } from '../../ui/table/LoadMore.tsx'
import { usePagedQuery } from '../../ui/table/usePagedQuery.ts'
import { type MediumName, media } from '../catalog/familyLabels.ts'
import { HistoryQuery, type HistoryRow } from '../history/historyQuery.ts'
import { Preview } from '../history/Preview.tsx'
import classes from './EarlierRuns.module.css'

const outputTypes: Record<MediumName, HistoryRow['outputType']> = { images: 'IMAGE', videos: 'VIDEO', audios: 'AUDIO', models3d: 'MODEL3D' }

type ChooseResultProps = { medium: MediumName; opened: boolean; onClose(): void; onChoose(id: string): void }

/** Chooses a finished generation as an input. */
export function ChooseResult({ medium, opened, onClose, onChoose }: ChooseResultProps) {
  return (
    <FormDialog opened={opened} onClose={onClose} title={`Choose from history: ${media[medium].many}`} size="lg">
      {opened && (
        <Results
          outputType={outputTypes[medium]}
          onChoose={(row) => {
            onChoose(row.generationId)
            onClose()
          }}
        />
      )}
    </FormDialog>
  )
}

const pageRows = 24

function Results({ outputType, onChoose }: { outputType: HistoryRow['outputType']; onChoose(row: HistoryRow): void }) {
  const { id: teamId } = useTeam()
  const { rows, failure, isLoading, hasMore, isLoadingMore, loadMore, reload } = usePagedQuery({
    query: HistoryQuery,
    variables: { teamId, state: 'READY' as const, outputType, first: pageRows },
    pageOf: ({ team }) => team?.generations,
  })
  // A deleted result cannot be an input.
  const fitting = rows?.filter(({ result }) => result?.url) ?? []
  if (failure) return <ErrorNotice title="The history could not be loaded" failure={failure} onRetry={reload} />
  if (isLoading) return <RowsSkeleton rows={4} />
  return (
    <>
      {fitting.length === 0 && <Text size="sm">{hasMore ? 'None among the newest.' : 'There is none yet.'}</Text>}
      <ul className={classes.list}>
        {fitting.map((row) => (
          <li key={row.generationId} className={classes.item}>
            <UnstyledButton className={classes.opener} aria-label={`Use ${row.prompt || row.familyId}`} onClick={() => onChoose(row)}>
              <Preview row={row} size={96} />
              <Text size="xs" lineClamp={2}>
                {row.prompt || row.familyId}
              </Text>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      <LoadMore hasMore={hasMore} loading={isLoadingMore} onMore={loadMore} />
    </>
  )
}
