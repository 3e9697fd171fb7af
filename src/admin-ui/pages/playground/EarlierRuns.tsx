import { Box, Button, Group, Text, Title, UnstyledButton } from '@mantine/core'
import { Link } from 'react-router'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { stateLabel } from '../../ui/display/StateBadge.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import type { HistoryRow } from '../history/historyQuery.ts'
import { Preview } from '../history/Preview.tsx'
import classes from './EarlierRuns.module.css'
import { modelName } from './modelName.ts'
import type { ListedFamily } from './playgroundQueries.ts'
import type { useRecentRuns } from './useRecentRuns.ts'

type EarlierRunsProps = {
  families: readonly ListedFamily[]
  recent: ReturnType<typeof useRecentRuns>
  result: string | undefined
  compared: string | undefined
  onShow(id: string): void
  onCompare(id: string | undefined): void
}

/** The newest runs of the team's people, to show again or to compare with the result. */
export function EarlierRuns({ families, recent, result, compared, onShow, onCompare }: EarlierRunsProps) {
  const { id: teamId } = useTeam()
  const { rows, failure, reload } = recent
  if (failure && !rows) return <ErrorNotice title="The earlier runs could not be loaded" failure={failure} onRetry={reload} />
  if (!rows || rows.length === 0) return null
  return (
    <Box component="section" aria-labelledby="earlier-runs">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="earlier-runs">
          Earlier runs
        </Title>
        <Button component={Link} to={paths.screen(teamId, 'history', { source: 'EDITOR' })} variant="subtle" size="compact-sm">
          Show all
        </Button>
      </Group>
      <ul className={classes.list}>
        {rows.map((row) => {
          const id = row.generationId
          const isCompared = id === compared
          return (
            <li key={id} className={classes.item} data-shown={id === result || isCompared || undefined}>
              <UnstyledButton className={classes.opener} aria-label={`Show ${nameOf(row)}`} onClick={() => onShow(id)}>
                <Preview row={row} size={96} />
                <Text size="xs" lineClamp={2}>
                  {row.prompt || row.familyId}
                </Text>
              </UnstyledButton>
              <Text size="xs" c="dimmed" lineClamp={2}>
                {modelName(row, families)}
              </Text>
              {result !== undefined && id !== result && (
                <Button
                  size="compact-xs"
                  variant={isCompared ? 'filled' : 'default'}
                  aria-pressed={isCompared}
                  aria-label={`Compare ${nameOf(row)}`}
                  onClick={() => onCompare(isCompared ? undefined : id)}
                >
                  Compare
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </Box>
  )
}

function nameOf({ prompt, familyId, state }: HistoryRow): string {
  return `${prompt || familyId} (${stateLabel(state)})`
}
