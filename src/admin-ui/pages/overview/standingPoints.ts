import { paths } from '../../paths.ts'
import { formatCredits } from '../../ui/display/Credits.tsx'
import { askOperator, askOperatorTo } from '../../ui/feedback/askOperator.ts'
import { daysLeft } from './creditsPace.ts'
import type { OverviewTeam } from './overviewQuery.ts'

/** Something that stops work, or will soon. `at`: the moment that it names. */
export type AttentionPoint = { id: string; title: string; detail: string; severity: 'stops' | 'soon'; to: string; at?: string }

/** The most urgent first. */
export function bySeverity(points: readonly AttentionPoint[]): AttentionPoint[] {
  return points.toSorted((one, other) => Number(one.severity === 'soon') - Number(other.severity === 'soon'))
}

/** The plan and the credits of a team. Without `usage`, the pace of spending is ignored. */
export type Standing = Pick<OverviewTeam, 'id' | 'planExpiresAt' | 'lowCreditsThreshold'> & {
  account: Pick<OverviewTeam['account'], 'creditsAvailable' | 'creditsHeld'>
  limits: readonly { kind: OverviewTeam['limits'][number]['kind'] }[]
  usage?: OverviewTeam['usage']
}

const dayMs = 86_400_000
/** A plan that ends within these days is a warning. */
const planDays = 14
/** Credits that last fewer days at the present pace are a warning. */
const creditDays = 7

/** The faults and warnings about the plan and the credits of a team. */
export function standingPoints(team: Standing, now: number): AttentionPoint[] {
  return [...planPoints(team, now), ...creditPoints(team)]
}

function planPoints({ id, planExpiresAt, limits }: Standing, now: number): AttentionPoint[] {
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

function creditPoints(team: Standing): AttentionPoint[] {
  const { creditsAvailable } = team.account
  const to = paths.screen(team.id, 'team')
  const detail = askOperatorTo('add some')
  if (creditsAvailable === 0) return [{ id: 'credits', title: 'No credits are available', detail, severity: 'stops', to }]
  const left = daysLeft({ account: team.account, usage: team.usage ?? [] })
  const isLow = team.lowCreditsThreshold !== null && creditsAvailable < team.lowCreditsThreshold
  if (!isLow && (left === undefined || left >= creditDays)) return []
  const lasts =
    left === undefined || left > 365
      ? ''
      : `At the present pace they last ${left < 1 ? 'less than a day' : left < 2 ? 'about a day' : `about ${Math.floor(left)} days`}. `
  return [{ id: 'credits', title: `Only ${formatCredits(creditsAvailable)} left`, detail: `${lasts}${detail}`, severity: 'soon', to }]
}
