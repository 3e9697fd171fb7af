import { afterEach, expect, test } from 'vitest'
import { attentionPoints } from '../../../../src/admin-ui/pages/overview/attentionPoints.ts'
import type { OverviewTeam } from '../../../../src/admin-ui/pages/overview/overviewQuery.ts'
import { chooseTimeZone } from '../../../../src/admin-ui/ui/display/timeZone.ts'

afterEach(() => chooseTimeZone(undefined))

const now = Date.parse('2026-11-29T03:00:00.000Z')
const key = {
  id: 'key_1',
  name: 'render-bot',
  expiresAt: null,
  dailyLimitCredits: 260,
  monthlyLimitCredits: 5000,
  spentTodayCredits: 240.3,
  spentThisMonthCredits: 4700.25,
  heldCredits: 6.5,
}

function pointsOf(changed: Partial<OverviewTeam>) {
  const team = {
    id: 'team_1',
    planExpiresAt: null,
    lowCreditsThreshold: null,
    account: { creditsAvailable: 100, creditsHeld: 0 },
    limits: [],
    usage: [],
    ...changed,
  } as unknown as OverviewTeam
  return attentionPoints(team, now).map(({ title, detail }) => `${title}. ${detail}`.trim())
}

test('a key near its ceilings is shown with its numbers, and the end of the refusal in the time zone of the person', () => {
  chooseTimeZone('Europe/Berlin')
  const hints = ['NEAR_DAILY_CEILING', 'NEAR_MONTHLY_CEILING'] as const
  const [daily, monthly] = pointsOf({ keysAtRisk: [{ ...key, hints: [...hints] }] })
  expect(daily).toMatch(
    /^render-bot is near its daily ceiling\. It has used 246\.8 of 260 credits today\. At 260 its starts are refused until /,
  )
  expect(daily).toMatch(/30|Nov/)
  expect(daily).toMatch(/0?1:00/)
  expect(monthly).toContain('It has used 4,706.75 of 5,000 credits this month. At 5,000 its starts are refused until ')
})

test('the numbers of a failing webhook have thousands separators', () => {
  const health = { failedAttempts: 1854, delivered: 1 }
  const [point] = pointsOf({ failingWebhooks: [{ id: 'hook_1', address: 'https://a.example', autoPausedAt: null, health }] })
  expect(point).toBe('https://a.example is failing. In 24 hours, 1,854 attempts failed and 1 event was delivered.')
})
