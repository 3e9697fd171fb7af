import { Box, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import type { Failure } from '../../api/failure.ts'
import { Countdown } from '../../ui/display/Countdown.tsx'
import { formatCredits } from '../../ui/display/Credits.tsx'
import { noCreditsText } from '../../ui/feedback/askOperator.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { useNow } from '../../ui/hooks/useNow.ts'
import { formatRunSeconds } from '../catalog/familyLabels.ts'
import { formatQuantity } from '../catalog/formatPrice.ts'
import type { EstimateState } from '../catalog/useEstimate.ts'
import type { PersonRuns } from './playgroundQueries.ts'

type RunBarProps = {
  estimate: EstimateState
  /** What is missing before there is a price. */
  hint: string | undefined
  failure: Failure | undefined
  isStarting: boolean
  mayRun: boolean
  runs: PersonRuns
  dailyLimit: number | null
  onRun(): void
}

/** The price, and the buttons. `Run` never costs more than the shown price. */
export function RunBar({ estimate, hint, failure, isStarting, mayRun, runs, dailyLimit, onRun }: RunBarProps) {
  return (
    <Paper withBorder radius="lg" p="md" bg="var(--atelier-surface)">
      <Stack gap="sm">
        <Group justify="space-between" gap="sm" align="center">
          <Box role="status" flex="1 1 180px" miw={0}>
            <Price estimate={estimate} hint={hint} />
          </Box>
          <Group gap="xs">
            <Button variant="default" loading={estimate.isAsking} disabled={hint !== undefined} onClick={() => void estimate.ask()}>
              Estimate
            </Button>
            {mayRun && (
              <Button leftSection={<IconPlayerPlay size={16} aria-hidden />} loading={isStarting} onClick={onRun}>
                Run
              </Button>
            )}
          </Group>
        </Group>
        {estimate.result && !failure && <Blockers codes={estimate.result.blockers} />}
        {estimate.failure && <ErrorNotice title="This would be refused" failure={estimate.failure} />}
        {failure && (
          <ErrorNotice
            title="The generation was not started"
            failure={failure.code === 'insufficient_credits' ? { ...failure, message: noCreditsText } : failure}
          />
        )}
        {mayRun && dailyLimit !== null && <DailyCeiling runs={runs} dailyLimit={dailyLimit} />}
      </Stack>
    </Paper>
  )
}

function Price({ estimate: { result, failure }, hint }: { estimate: EstimateState; hint: string | undefined }) {
  if (hint !== undefined || (!result && !failure))
    return (
      <Text size="sm" c="dimmed">
        {hint ?? 'Computing the price…'}
      </Text>
    )
  if (!result) return null
  const parts = result.breakdown.map(formatQuantity).join(', ')
  return (
    <>
      <Text fw={600} fz="lg" className="tabular">
        {formatCredits(result.credits)}
      </Text>
      <Text size="xs" c="dimmed">
        {parts} · usually {formatRunSeconds(result.expectedRunSeconds)} · {formatCredits(result.creditsAvailable)} available
      </Text>
    </>
  )
}

const blockers: Record<string, string> = {
  insufficient_credits: noCreditsText,
  spend_limit_exceeded:
    'It would exceed your daily ceiling, or the monthly budget of the team. An owner or administrator can raise the ceiling in Settings.',
}

function Blockers({ codes }: { codes: readonly string[] }) {
  if (codes.length === 0) return null
  return (
    <Text size="sm" c="var(--mantine-color-error)">
      A start would be refused now. {codes.map((code) => blockers[code] ?? code).join(' ')}
    </Text>
  )
}

function DailyCeiling({ runs, dailyLimit }: { runs: PersonRuns; dailyLimit: number }) {
  const midnight = new Date(useNow()).setUTCHours(24, 0, 0, 0)
  return (
    <Text size="xs" c="dimmed">
      You can spend {formatCredits(runs.leftTodayCredits ?? dailyLimit)} more today, of {formatCredits(dailyLimit)}. The day ends{' '}
      <Countdown to={midnight} />, at midnight in UTC.
    </Text>
  )
}
