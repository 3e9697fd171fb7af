import { paths } from '../../paths.ts'
import { formatMoment } from '../../ui/display/formatMoment.ts'
import { usedTitle } from '../usage/describeLimit.ts'
import type { OverviewTeam } from './overviewQuery.ts'
import { type AttentionPoint, bySeverity, standingPoints } from './standingPoints.ts'

const figures = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })

/** What a person has to act on, the most urgent first. */
export function attentionPoints(team: OverviewTeam, now: number): AttentionPoint[] {
  return bySeverity([...standingPoints(team, now), ...webhookPoints(team), ...keyPoints(team, now)])
}

/** The text when nothing needs attention. For a member it does not mention keys and webhooks, which members cannot read. */
export function noAttentionText({ keysAtRisk }: OverviewTeam): string {
  return keysAtRisk
    ? 'Nothing: no webhook fails, and no ceiling, key or plan is about to end.'
    : 'Nothing: credits are available, and the plan does not end soon.'
}

function webhookPoints({ id, failingWebhooks = [] }: OverviewTeam): AttentionPoint[] {
  const paused = failingWebhooks.filter(({ autoPausedAt }) => autoPausedAt !== null)
  const pausedPoints = paused.map(({ id: webhook, address }) => ({
    id: webhook,
    title: `${address} is paused: every attempt failed for days`,
    detail: 'Its events are kept as failed deliveries for 30 days. Resume it, then recover them.',
    severity: 'stops' as const,
    to: paths.webhook(id, webhook),
  }))
  const failing = failingWebhooks.filter(({ autoPausedAt }) => autoPausedAt === null)
  const failingPoints = failing.map(({ id: webhook, address, health }) => ({
    id: webhook,
    title: `${address} is failing`,
    detail: `In 24 hours, ${figures.format(health.failedAttempts)} ${health.failedAttempts === 1 ? 'attempt' : 'attempts'} failed and ${figures.format(health.delivered)} ${health.delivered === 1 ? 'event was' : 'events were'} delivered.`,
    severity: health.delivered === 0 ? ('stops' as const) : ('soon' as const),
    to: paths.webhook(id, webhook),
  }))
  return [...pausedPoints, ...failingPoints]
}

const hintWords: Partial<Record<string, { words: string; severity: AttentionPoint['severity'] }>> = {
  NEAR_DAILY_CEILING: { words: 'is near its daily ceiling', severity: 'soon' },
  NEAR_MONTHLY_CEILING: { words: 'is near its monthly ceiling', severity: 'soon' },
  ENDS_SOON: { words: 'ends soon', severity: 'soon' },
  ISSUER_WITHOUT_ROLE: { words: 'is refused: its issuer no longer manages the team', severity: 'stops' },
  HOLDER_WITHOUT_ROLE: { words: 'is refused until it is rotated again', severity: 'stops' },
}

type KeyAtRisk = NonNullable<OverviewTeam['keysAtRisk']>[number]

function keyPoints({ id, keysAtRisk = [] }: OverviewTeam, now: number): AttentionPoint[] {
  return keysAtRisk.flatMap((key) =>
    key.hints.flatMap((hint) => {
      const known = hintWords[hint]
      if (!known) return []
      const at = hint === 'ENDS_SOON' && key.expiresAt !== null ? { at: key.expiresAt } : {}
      const title = `${key.name} ${known.words}`
      return [
        {
          id: `${key.id} ${hint}`,
          title,
          detail: ceilingDetail(key, hint, now),
          severity: known.severity,
          to: paths.key(id, key.id),
          ...at,
        },
      ]
    }),
  )
}

/** How far a key is below its ceiling, and until when the ceiling would refuse its starts. */
function ceilingDetail(key: KeyAtRisk, hint: string, now: number): string {
  const today = new Date(now)
  if (hint === 'NEAR_DAILY_CEILING' && key.dailyLimitCredits !== null) {
    const reset = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + 1)
    return usedWords({ used: key.spentTodayCredits + key.heldCredits, limit: key.dailyLimitCredits, period: 'today', reset, now })
  }
  if (hint === 'NEAR_MONTHLY_CEILING' && key.monthlyLimitCredits !== null) {
    const reset = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1)
    return usedWords({
      used: key.spentThisMonthCredits + key.heldCredits,
      limit: key.monthlyLimitCredits,
      period: 'this month',
      reset,
      now,
    })
  }
  return ''
}

type Used = { used: number; limit: number; period: string; reset: number; now: number }

function usedWords({ used, limit, period, reset, now }: Used): string {
  const title = usedTitle({ name: 'It', used, limit, period })
  return `${title}. At ${figures.format(limit)} its starts are refused until ${formatMoment(reset, now)}.`
}
