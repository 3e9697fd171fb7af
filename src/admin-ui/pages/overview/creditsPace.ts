import type { OverviewTeam } from './overviewQuery.ts'

/** The pace is that of these last days, today included. */
const paceDays = 7

type Pace = Pick<OverviewTeam, 'account' | 'usage'>

/** For how many days the available credits last at the present pace; undefined while nothing is spent. */
export function daysLeft({ account, usage }: Pace): number | undefined {
  const spent = usage.slice(-paceDays).reduce((sum, { creditsCharged }) => sum + creditsCharged, 0)
  return spent > 0 ? (account.creditsAvailable / spent) * paceDays : undefined
}

/** The pace in words. */
export function paceText(pace: Pace): string {
  const left = daysLeft(pace)
  if (left === undefined) return `Nothing was spent in the last ${paceDays} days.`
  if (left > 365) return 'They last more than a year at the present pace.'
  const days = left < 1 ? 'less than a day' : left < 2 ? 'about a day' : `about ${Math.floor(left)} days`
  return `They last ${days} at the pace of the last ${paceDays} days.`
}
