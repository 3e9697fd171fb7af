import { formatCredits } from '../../ui/display/Credits.tsx'
import { askOperator, askOperatorTo } from '../../ui/feedback/askOperator.ts'
import type { Limit } from './usageQueries.ts'

export type LimitDescription = {
  title: string
  /** What it means, or what to do. */
  detail: string
  /** `stops`: starts are refused; `near`: soon; `fine`: nothing to do. */
  severity: 'stops' | 'near' | 'fine'
  /** The used share, 0 to 1, for limits that can be used up. */
  used?: number
}

/** From this share on a ceiling counts as near. */
const nearShare = 0.8

/** Describes a limit for a person. Its reset time is shown separately. `lowCredits`: the team's threshold, if it has one. */
export function describeLimit(
  { kind, key, leftCredits, limitCredits, spentCredits, heldCredits }: Limit,
  lowCredits: number | null,
): LimitDescription {
  const name = key?.name ?? 'A key'
  const limit = limitCredits ?? 0
  const held = heldCredits ?? 0
  const ceiling = { name, limit, left: leftCredits, spent: spentCredits ?? 0, held }
  switch (kind) {
    case 'TEAM_BLOCKED':
      return { title: 'This team is blocked', detail: `Every start is refused. ${askOperator}`, severity: 'stops' }
    case 'ACCESS_CLOSED':
      return { title: 'External access is switched off', detail: `No key of this team works. ${askOperator}`, severity: 'stops' }
    case 'PLAN_ENDED':
      return { title: 'The plan has ended', detail: `Every start is refused until it is extended. ${askOperator}`, severity: 'stops' }
    case 'CREDITS':
      return creditsLimit(leftCredits, held, lowCredits)
    case 'DAILY_CEILING':
      return usedCeiling(ceiling, daily)
    case 'MONTHLY_CEILING':
      return usedCeiling(ceiling, monthly)
    case 'TEAM_MONTHLY_CEILING':
      return usedCeiling({ ...ceiling, name: 'The team' }, teamMonthly)
    case 'SINGLE_CEILING':
      if (limit === 0) return zeroCeiling(name, 'single ceiling', 'fine')
      return {
        title: `One generation of ${name} may cost at most ${formatCredits(limit)}`,
        detail: 'Its single ceiling.',
        severity: 'fine',
      }
  }
}

/** A ceiling of 0 is a setting: nothing was used up, and no reset changes it. */
function zeroCeiling(name: string, ceiling: string, severity: 'stops' | 'fine'): LimitDescription {
  return {
    title: `${name} cannot start anything: its ${ceiling} is 0`,
    detail: 'It can when this ceiling is raised or removed.',
    severity,
  }
}

function creditsLimit(left: number, held: number, lowCredits: number | null): LimitDescription {
  const detail = held > 0 ? `${formatCredits(held)} more are held by running work.` : 'Running work holds no credits.'
  if (left > 0)
    return {
      title: `${formatCredits(left)} ${left === 1 ? 'is' : 'are'} available`,
      detail,
      severity: lowCredits !== null && left < lowCredits ? 'near' : 'fine',
    }
  const title = 'No credits are available'
  if (held > 0)
    return {
      title,
      detail: `Running work holds all credits (${formatCredits(held)}). Failed work returns its part. ${askOperatorTo('add some')}`,
      severity: 'stops',
    }
  return { title, detail: `Every start is refused until some are added. ${askOperatorTo('add some')}`, severity: 'stops' }
}

type Ceiling = { name: string; limit: number; left: number; spent: number; held: number }
type Period = {
  ceiling: string
  now: string
  unit: string
  starts: string
  /** The severity of a ceiling of 0. The budget of the team stops every start, the ceiling of a key only those of this key. */
  zeroSeverity: 'stops' | 'fine'
}

const daily: Period = { ceiling: 'daily ceiling', now: 'today', unit: 'day', starts: 'start with this key', zeroSeverity: 'fine' }
const monthly: Period = {
  ceiling: 'monthly ceiling',
  now: 'this month',
  unit: 'month',
  starts: 'start with this key',
  zeroSeverity: 'fine',
}
const teamMonthly: Period = { ...monthly, ceiling: 'monthly budget', starts: 'start', zeroSeverity: 'stops' }

function usedCeiling({ name, limit, left, spent, held }: Ceiling, { ceiling, now, unit, starts, zeroSeverity }: Period): LimitDescription {
  if (limit === 0) return zeroCeiling(name, ceiling, zeroSeverity)
  const usedCredits = Math.round((spent + held) * 100) / 100
  const used = Math.min(1, usedCredits / limit)
  const title = usedTitle({ name, used: usedCredits, limit, period: now })
  const ofThese = held > 0 ? `${figure(held)} of these ${held === 1 ? 'is' : 'are'} held by running work. ` : ''
  if (left === 0) return { title, detail: `${ofThese}Every ${starts} is refused until the ${unit} ends.`, severity: 'stops', used }
  return {
    title,
    detail: `${ofThese}${formatCredits(left)} ${left === 1 ? 'is' : 'are'} left for the ${unit}.`,
    severity: used >= nearShare ? 'near' : 'fine',
    used,
  }
}

type Used = { name: string; used: number; limit: number; period: string }

/** The title of a ceiling that can be used up: `render-bot has used 4 of 5 credits today`. */
export function usedTitle({ name, used, limit, period }: Used): string {
  return `${name} has used ${figure(used)} of ${formatCredits(limit)} ${period}`
}

function figure(credits: number): string {
  return formatCredits(credits).split(' ')[0] ?? ''
}
