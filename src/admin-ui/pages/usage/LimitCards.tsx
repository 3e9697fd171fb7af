import { Box, Group, Paper, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useCallback } from 'react'
import { useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { useTeam } from '../../api/viewer.ts'
import { Countdown } from '../../ui/display/Countdown.tsx'
import { Credits } from '../../ui/display/Credits.tsx'
import { StateBadge } from '../../ui/display/StateBadge.tsx'
import { type BadgeColor, TextBadge } from '../../ui/display/TextBadge.tsx'
import { inTimeZone } from '../../ui/display/timeZone.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { BlockSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { describeLimit, type LimitDescription } from './describeLimit.ts'
import { type Limit, LimitsQuery, type UsageLimits } from './usageQueries.ts'

const othersMax = 3

/** The query of the limits, and a function that loads them again. */
export function useLimits() {
  const { id } = useTeam()
  const [{ data, error }, refetch] = useQuery({ query: LimitsQuery, variables: { team: id }, requestPolicy: 'cache-and-network' })
  const retry = useCallback(() => refetch({ requestPolicy: 'network-only' }), [refetch])
  return { team: data?.team, error, retry }
}

type LimitCardsProps = {
  limits: ReturnType<typeof useLimits>
  /** True while another part of the page shows the failure. */
  hidesError: boolean
}

/** The limits of the next start, and the held credits. */
export function LimitCards({ limits: { team, error, retry }, hidesError }: LimitCardsProps) {
  if (error && !team && hidesError) return null
  if (error && !team)
    return (
      <Box mb="md">
        <ErrorNotice title="The held credits could not be loaded" failure={failureOf(error)} onRetry={retry} />
      </Box>
    )
  if (!team)
    return (
      <Box mb="md">
        <BlockSkeleton height={132} />
      </Box>
    )
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" mb="md">
      <LimitCard {...team} />
      <HeldCard team={team} />
    </SimpleGrid>
  )
}

const badges: Record<Exclude<LimitDescription['severity'], 'fine'>, { color: BadgeColor; word: string }> = {
  stops: { color: 'red', word: 'Stops starts' },
  near: { color: 'orange', word: 'Near' },
}

function badgeOf({ severity }: LimitDescription) {
  return severity === 'fine' ? undefined : badges[severity]
}

function LimitCard({ limits, lowCreditsThreshold }: Pick<UsageLimits, 'limits' | 'lowCreditsThreshold'>) {
  const [nearest, ...others] = limits
  if (!nearest) return null
  const words = describeLimit(nearest, lowCreditsThreshold)
  const badge = badgeOf(words)
  return (
    <Paper withBorder p="md" component="section" aria-label="Nearest limit">
      <Group justify="space-between" mb={6} wrap="nowrap">
        <Title order={2} size="sm" c="dimmed" fw={500}>
          Nearest limit
        </Title>
        {badge ? <TextBadge {...badge} /> : <StateBadge state="FINE" />}
      </Group>
      <Text fw={600} size="lg" style={{ overflowWrap: 'anywhere' }}>
        {words.title}.
      </Text>
      {words.used !== undefined && (
        <Progress value={words.used * 100} color={badge?.color ?? 'accent'} size={6} my={8} aria-label="Share used" />
      )}
      <Text c="dimmed">
        {words.detail}
        {nearest.resetsAt !== null && (
          <>
            {' '}
            It resets <Countdown to={nearest.resetsAt} />, at <ResetTime at={nearest.resetsAt} />.
          </>
        )}
      </Text>
      {others.length > 0 && <OtherLimits limits={others.slice(0, othersMax)} lowCredits={lowCreditsThreshold} />}
    </Paper>
  )
}

/** A time in the next 24 hours, in the reader's time zone and in UTC. */
function ResetTime({ at }: { at: string }) {
  const words = (timeZone?: string) =>
    new Date(at).toLocaleTimeString(undefined, inTimeZone({ hour: '2-digit', minute: '2-digit', ...(timeZone ? { timeZone } : {}) }))
  return (
    <time dateTime={at}>
      {words()} ({words('UTC')} UTC)
    </time>
  )
}

/** The limits after the nearest one, which has the fewest credits left. One of them may have used a larger share. */
function OtherLimits({ limits, lowCredits }: { limits: readonly Limit[]; lowCredits: number | null }) {
  return (
    <Box mt="sm" pt="sm" style={{ borderTop: '1px solid var(--atelier-border)' }}>
      <Text size="xs" c="dimmed" mb={4}>
        Other limits
      </Text>
      <Stack component="ul" gap={2} m={0} p={0} style={{ listStyle: 'none' }}>
        {limits.map((limit) => {
          const words = describeLimit(limit, lowCredits)
          const badge = badgeOf(words)
          return (
            <Text key={`${limit.kind} ${limit.key?.id}`} component="li" size="sm" style={{ overflowWrap: 'anywhere' }}>
              {words.title}. {badge && <TextBadge {...badge} />}
            </Text>
          )
        })}
      </Stack>
    </Box>
  )
}

function HeldCard({ team: { account, workUnderWay } }: { team: UsageLimits }) {
  const { queued, running, finalizing } = workUnderWay
  const counts = [
    [queued, 'queued'],
    [running, 'running'],
    [finalizing, 'finalizing'],
  ] as const
  const words = counts.filter(([count]) => count > 0).map(([count, state]) => `${count} ${state}`)
  return (
    <Paper withBorder p="md" component="section" aria-label="Credits on hold">
      <Title order={2} size="sm" c="dimmed" fw={500} mb={6}>
        Credits on hold
      </Title>
      <SimpleGrid cols={2} spacing="md" maw={420}>
        <Figure name="Held by running work" amount={account.creditsHeld} />
        <Figure name="Available for new work" amount={account.creditsAvailable} />
      </SimpleGrid>
      <Text c="dimmed" mt="xs">
        {words.length === 0 ? 'No generation is running.' : `Unfinished: ${words.join(', ')}. Failed work returns its credits.`}
      </Text>
    </Paper>
  )
}

function Figure({ name, amount }: { name: string; amount: number }) {
  return (
    <div>
      <Text size="xl" fw={600}>
        <Credits amount={amount} unit />
      </Text>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
    </div>
  )
}
