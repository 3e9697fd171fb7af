import { ActionIcon, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconPencil, IconRefresh, IconX } from '@tabler/icons-react'
import { Fragment, useEffect, useEffectEvent, useRef } from 'react'
import { Link } from 'react-router'
import { useQuery } from 'urql'
import { useTeam, useViewer } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { formatCredits } from '../../ui/display/Credits.tsx'
import { formatDuration } from '../../ui/display/formatDuration.ts'
import { StateBadge } from '../../ui/display/StateBadge.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { BlockSkeleton } from '../../ui/feedback/Skeletons.tsx'
import type { Draft } from '../catalog/generationBody.ts'
import { CancelGeneration } from '../history/CancelGeneration.tsx'
import { FailureNotice, ProgressNotice } from '../history/GenerationNotices.tsx'
import { entriesOf, isOpen, mayCancel, runSeconds } from '../history/generationLabels.ts'
import { type Generation, GenerationQuery } from '../history/historyQuery.ts'
import { Media } from '../history/media/Media.tsx'
import { useGeneration } from '../history/useGeneration.ts'
import { modelName } from './modelName.ts'
import type { ListedFamily } from './playgroundQueries.ts'
import { draftOf } from './repeatedRequest.ts'
import { useRepeatedBody } from './useRepeatedBody.ts'
import { useRun } from './useRun.ts'

export type ResultCardProps = {
  id: string
  families: readonly ListedFamily[]
  mayRun: boolean
  /** The generation beside it. */
  comparedWith: string | undefined
  /** Puts the request of a generation into the form. */
  onEdit(familyId: string, draft: Draft): void
  onStarted(generationId: string): void
  onEnded(): void
  onClose(): void
}

/** One generation: progress, then the result, and what to do with it. */
export function ResultCard({ id, onEnded, onClose, ...actions }: ResultCardProps) {
  const { generation, failure, refresh } = useGeneration(id, { followSeconds: 1 })
  const wasOpen = useRef(false)
  const notifyEnded = useEffectEvent(onEnded)
  const state = generation?.state
  useEffect(() => {
    if (state === undefined) return
    const isNowOpen = isOpen({ state })
    if (wasOpen.current && !isNowOpen) notifyEnded()
    wasOpen.current = isNowOpen
  }, [state])
  return (
    <Paper withBorder radius="lg" p="md" bg="var(--atelier-surface)" style={{ minWidth: 0 }}>
      {failure && !generation && <ErrorNotice title="The generation could not be loaded" failure={failure} onRetry={refresh} />}
      {!failure && !generation && <BlockSkeleton height={280} />}
      {generation && <Shown generation={generation} onChanged={refresh} onClose={onClose} {...actions} />}
    </Paper>
  )
}

type ShownProps = Omit<ResultCardProps, 'id' | 'onEnded'> & { generation: Generation; onChanged(): void }

function Shown({ generation, families, comparedWith, onChanged, onClose, ...actions }: ShownProps) {
  const isCompared = comparedWith !== undefined
  const { state, prompt, error } = generation
  return (
    <Stack gap="sm" aria-live="polite">
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <Group gap="xs">
          <StateBadge state={state} />
          <Text size="sm" fw={500}>
            {modelName(generation, families)}
          </Text>
          <Text size="xs" c="dimmed">
            {summaryOf(generation)}
          </Text>
        </Group>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={isCompared ? 'Close this result' : 'Close the result'}
          onClick={onClose}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Group>
      <Media generation={generation} onRefresh={onChanged} />
      <ProgressNotice generation={generation} />
      {error && <FailureNotice error={error} />}
      {prompt !== null && prompt !== '' && (
        <Text size="sm" lineClamp={4} style={{ overflowWrap: 'anywhere' }}>
          {prompt}
        </Text>
      )}
      {isCompared && <Settings generation={generation} otherId={comparedWith} />}
      <Actions generation={generation} isCompared={isCompared} onChanged={onChanged} {...actions} />
    </Stack>
  )
}

type ActionsProps = Omit<ShownProps, 'families' | 'comparedWith' | 'onClose'> & { isCompared: boolean }

/** What to do with the result. */
function Actions({ generation, isCompared, mayRun, onEdit, onStarted, onChanged }: ActionsProps) {
  const team = useTeam()
  const viewer = useViewer()
  const { run, isStarting, failure } = useRun(team.id, onStarted)
  const repeatedBody = useRepeatedBody(team.id)
  const { familyId, credits, modelId } = generation
  const runAgain = async () => {
    const body = await repeatedBody(generation)
    // The variant is no longer in the catalog: the form shows what is there instead.
    if (body) await run(body, credits)
    else onEdit(familyId, draftOf(generation))
  }
  // The same request would be refused again.
  const isRefused = generation.error?.retryable === false
  const mayRepeat = mayRun && !isOpen(generation) && modelId !== null && !isRefused
  return (
    <>
      <Group gap="xs">
        {mayRepeat && (
          <Button
            size="xs"
            leftSection={isCompared ? null : <IconRefresh size={14} aria-hidden />}
            loading={isStarting}
            onClick={() => void runAgain()}
          >
            Run again
          </Button>
        )}
        {modelId !== null && (
          <Button
            size="xs"
            variant={isRefused ? 'filled' : 'default'}
            leftSection={isCompared ? null : <IconPencil size={14} aria-hidden />}
            onClick={() => onEdit(familyId, draftOf(generation))}
          >
            Edit and run
          </Button>
        )}
        {mayCancel(generation, { userId: viewer.id, mayManage: team.mayManage }) && (
          <CancelGeneration generation={generation} onChanged={onChanged} />
        )}
        <Button component={Link} to={paths.generation(team.id, generation.generationId)} size="xs" variant="subtle">
          Details
        </Button>
      </Group>
      {failure && <ErrorNotice title="The generation was not started" failure={failure} />}
    </>
  )
}

/** The settings. Those that the other result does not have are bold. */
function Settings({ generation, otherId }: { generation: Generation; otherId: string }) {
  const { id: teamId } = useTeam()
  const [{ data }] = useQuery({ query: GenerationQuery, variables: { teamId, id: otherId } })
  const settings = settingsOf(generation)
  if (settings.length === 0) return null
  const other = data?.team?.generation
  const others = new Set(other ? settingsOf(other) : settings)
  return (
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {settings.map((setting, index) => (
        <Fragment key={setting}>
          {index > 0 && ' · '}
          {others.has(setting) ? (
            setting
          ) : (
            <Text component="strong" size="xs" fw={600} c="var(--mantine-color-text)">
              {setting}
            </Text>
          )}
        </Fragment>
      ))}
    </Text>
  )
}

function settingsOf({ axes, parameters }: Pick<Generation, 'axes' | 'parameters'>): string[] {
  return [...entriesOf(axes), ...entriesOf(parameters)].map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
}

function summaryOf(generation: Generation): string {
  const seconds = isOpen(generation) ? undefined : runSeconds(generation, 0)
  const cost = isOpen(generation) ? `${formatCredits(generation.creditsHeld)} held` : formatCredits(generation.creditsCharged ?? 0)
  return [cost, seconds === undefined ? undefined : formatDuration(seconds)].filter(Boolean).join(' · ')
}
