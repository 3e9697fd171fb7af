import { paths } from '../../paths.ts'
import { formatCredits } from '../../ui/display/Credits.tsx'
import { askOperator, askOperatorTo } from '../../ui/feedback/askOperator.ts'
import { daysLeft } from './creditsPace.ts'
import type { OverviewTeam } from './overviewQuery.ts'

/** Something that stops work, or will soon. `at`: the moment that it names. */
export type AttentionPoint = { id: string; title: string; detail: string; severity: 'stops' | 'soon'; to: string; at?: string }

const dayMs = 86_400_000
/** A plan that ends within these days is a warning. */
const planDays = 14
const creditDays = 7

/** What a person has to act on, the most urgent first. */
export function attentionPoints(team: OverviewTeam, now: number): AttentionPoint[] {
  const points = [...planPoints(team, now), ...creditPoints(team), ...webhookPoints(team), ...keyPoints(team)]
  return points.toSorted((one, other) => Number(one.severity === 'soon') - Number(other.severity === 'soon'))
}

function planPoints({ id, planExpiresAt, limits }: OverviewTeam, now: number): AttentionPoint[] {
  const to = paths.screen(id, 'team')
  const point = (title: string, detail: string): AttentionPoint => ({ id: 'plan', title, detail, severity: 'stops', to })
  switch (limits[0]?.kind) {
    case 'TEAM_BLOCKED':
      return [point('This team is blocked', `Every start is refused. ${askOperator}`)]
    case 'ACCESS_CLOSED':
      return [point('External access is switched off', `No key of this team works. ${askOperator}`)]
    case 'PLAN_ENDED':
      return [point('The plan has ended', `Every start is refused until it is extended. ${askOperator}`)]
    default:
  }
  if (planExpiresAt === null || Date.parse(planExpiresAt) - now > planDays * dayMs) return []
  return [
    { ...point('The plan ends soon', `Then every start is refused. ${askOperatorTo('extend it')}`), severity: 'soon', at: planExpiresAt },
  ]
}

function creditPoints(team: OverviewTeam): AttentionPoint[] {
  const { creditsAvailable } = team.account
  const to = paths.screen(team.id, 'team')
  const detail = askOperatorTo('add some')
  if (creditsAvailable === 0) return [{ id: 'credits', title: 'No credits are available', detail, severity: 'stops', to }]
  const left = daysLeft(team)
  const isLow = team.lowCreditsThreshold !== null && creditsAvailable < team.lowCreditsThreshold
  if (!isLow && (left === undefined || left >= creditDays)) return []
  const lasts =
    left === undefined || left > 365
      ? ''
      : `At the present pace they last ${left < 1 ? 'less than a day' : left < 2 ? 'about a day' : `about ${Math.floor(left)} days`}. `
  return [{ id: 'credits', title: `Only ${formatCredits(creditsAvailable)} left`, detail: `${lasts}${detail}`, severity: 'soon', to }]
}

function webhookPoints({ id, webhookSubscriptions }: OverviewTeam): AttentionPoint[] {
  const failing = (webhookSubscriptions?.nodes ?? []).filter(
    ({ paused, lastDeliveryOutcome, health }) =>
      !paused && health.failedAttempts > 0 && (lastDeliveryOutcome === 'FAILED' || lastDeliveryOutcome === 'RETRYING'),
  )
  return failing.map(({ id: webhook, address, health }) => ({
    id: webhook,
    title: `${address} is failing`,
    detail: `${health.failedAttempts} failed and ${health.delivered} delivered in 24 hours.`,
    severity: health.delivered === 0 ? 'stops' : 'soon',
    to: paths.webhook(id, webhook),
  }))
}

const hintWords: Partial<Record<string, { words: string; severity: AttentionPoint['severity'] }>> = {
  NEAR_DAILY_CEILING: { words: 'is near its daily ceiling', severity: 'soon' },
  NEAR_MONTHLY_CEILING: { words: 'is near its monthly ceiling', severity: 'soon' },
  ENDS_SOON: { words: 'ends soon', severity: 'soon' },
  ISSUER_WITHOUT_ROLE: { words: 'is refused: its issuer no longer manages the team', severity: 'stops' },
  HOLDER_WITHOUT_ROLE: { words: 'is refused until it is rotated again', severity: 'stops' },
}

function keyPoints({ id, apiKeys }: OverviewTeam): AttentionPoint[] {
  return (apiKeys?.nodes ?? []).flatMap(({ id: key, name, hints, expiresAt }) =>
    hints.flatMap((hint) => {
      const known = hintWords[hint]
      if (!known) return []
      const at = hint === 'ENDS_SOON' && expiresAt !== null ? { at: expiresAt } : {}
      return [
        { id: `${key} ${hint}`, title: `${name} ${known.words}`, detail: '', severity: known.severity, to: paths.key(id, key), ...at },
      ]
    }),
  )
}
