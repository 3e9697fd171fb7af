import { Box, Text, Timeline, Title } from '@mantine/core'
import { formatDuration } from '../../ui/display/formatDuration.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { stateLabel } from '../../ui/display/StateBadge.tsx'
import { isOpen, isRecorded } from './generationLabels.ts'
import type { Generation } from './historyQuery.ts'

/** `at`: null for a step to come, undefined for one whose time is not recorded. */
type Step = { name: string; at: string | null | undefined; note: string | undefined }

/** The states of a generation with their times. */
export function GenerationTimeline({ generation }: { generation: Generation }) {
  const steps = stepsOf(generation)
  return (
    <Box component="section" aria-labelledby="generation-timeline">
      <Title order={2} size="h3" id="generation-timeline" mb="sm">
        Timeline
      </Title>
      <Timeline active={steps.filter(({ at }) => at !== null).length - 1} bulletSize={14} lineWidth={2}>
        {steps.map(({ name, at, note }) => (
          <Timeline.Item key={name} title={name}>
            <Text size="xs" c="dimmed">
              {at && <Moment at={at} exact />}
              {at && note !== undefined && ' · '}
              {note ?? (at === null && 'Not yet')}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </Box>
  )
}

function stepsOf(generation: Generation): Step[] {
  const { createdAt, startedAt, finishedAt, state } = generation
  const began = startedAt ?? (isOpen(generation) ? null : undefined)
  return [
    { name: 'Queued', at: createdAt, note: undefined },
    ...(began === undefined ? [] : [{ name: 'Running', at: began, note: between('waited', createdAt, began) }]),
    ...finalizingStep(generation),
    { name: isOpen(generation) ? 'Ended' : stateLabel(state), at: finishedAt, note: between('ran', startedAt, finishedAt) },
  ]
}

/** The service fetches, checks and stores the result. An ended generation shows the step when it passed through it. */
function finalizingStep(generation: Generation): Step[] {
  const { state, startedAt, finalizingAt, finishedAt } = generation
  const name = stateLabel('FINALIZING')
  if (state === 'FINALIZING') return [{ name, at: finalizingAt ?? undefined, note: 'Storing the result' }]
  if (isOpen(generation)) return [{ name, at: null, note: undefined }]
  if (finalizingAt !== null) {
    const words = state === 'READY' ? 'stored the result in' : 'tried to store a result for'
    return [{ name, at: finalizingAt, note: between(words, finalizingAt, finishedAt) }]
  }
  return state === 'READY' && startedAt !== null && !isRecorded(generation) ? [{ name, at: undefined, note: 'Stored the result' }] : []
}

function between(word: string, from: string | null, to: string | null): string | undefined {
  if (from === null || to === null) return undefined
  return `${word} ${formatDuration(Math.max(0, Date.parse(to) - Date.parse(from)) / 1000)}`
}
