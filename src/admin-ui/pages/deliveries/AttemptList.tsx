import { Box, Group, Text } from '@mantine/core'
import { formatDuration } from '../../ui/display/formatDuration.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import type { Attempt } from './deliveriesQuery.ts'
import { reasonOf } from './explainReply.ts'

/** The attempts, latest first: time, duration and outcome. */
export function AttemptList({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return <Text c="dimmed">No attempt has ended yet.</Text>
  return (
    <Box component="ol" aria-label="Attempts" reversed m={0} p={0} style={{ listStyle: 'none' }}>
      {attempts.toReversed().map((attempt) => (
        <Group
          component="li"
          key={attempt.number}
          gap="sm"
          py={6}
          align="baseline"
          wrap="nowrap"
          style={{ borderTop: '1px solid var(--atelier-border)' }}
        >
          <Text size="sm" c="dimmed" className="tabular" w={24}>
            {attempt.number}
          </Text>
          <Text size="sm" flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
            {reasonOf(attempt) ?? `answered ${attempt.responseCode}`}
          </Text>
          <Text size="xs" c="dimmed" className="tabular" style={{ whiteSpace: 'nowrap' }}>
            {formatDuration(attempt.durationSeconds)}
          </Text>
          <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            <Moment at={attempt.time} />
          </Text>
        </Group>
      ))}
    </Box>
  )
}
