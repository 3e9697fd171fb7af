import { Box, Text, Timeline, Title } from '@mantine/core'
import { formatDuration } from '../../ui/display/formatDuration.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { stateLabel } from '../../ui/display/StateBadge.tsx'
import { isOpen } from './generationLabels.ts'
import type { Generation } from './historyQuery.ts'

type Step = { name: string; at: string | null; note: string | undefined }

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
              {at === null ? 'Not yet' : <Moment at={at} exact />}
              {note !== undefined && ` · ${note}`}
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
    { name: isOpen(generation) ? 'Ended' : stateLabel(state), at: finishedAt, note: between('ran', startedAt, finishedAt) },
  ]
}

function between(word: string, from: string | null, to: string | null): string | undefined {
  if (from === null || to === null) return undefined
  return `${word} ${formatDuration(Math.max(0, Date.parse(to) - Date.parse(from)) / 1000)}`
}
