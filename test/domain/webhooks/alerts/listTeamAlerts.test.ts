import { afterAll, beforeEach, expect, test } from 'vitest'
import { updateTeam } from '../../../../src/domain/access/teams/teams.ts'
import { listTeamAlerts } from '../../../../src/domain/webhooks/alerts/listTeamAlerts.ts'
import { pruneAlerts, raiseAlerts } from '../../../../src/domain/webhooks/alerts/raiseAlerts.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { anEnding } from '../../../support/webhooks/webhooks.ts'

const { services, clock, close } = await testServices()
afterAll(close)
const tool = aServiceContext(services)
const start = new Date('2026-03-10T12:00:00.000Z')
const inDays = (days: number) => new Date(start.getTime() + days * 86_400_000)
beforeEach(() => clock.set(start))

test('a team without a receiver has each alert once, newest first, and none of another team', async () => {
  const own = await aTeamWithKey(services, { credits: 3, dailyLimitCredits: 2 })
  const other = await aTeamWithKey(services)
  await anEnding(own, 'ready')
  await anEnding(own, 'ready')
  await Promise.all([raiseAlerts(tool), raiseAlerts(tool)])
  await updateTeam(tool, { id: own.team.id, lowCreditsThreshold: 1.5, planExpiresAt: inDays(3) })
  await raiseAlerts(tool)
  await raiseAlerts(tool)
  const none = {
    id: expect.stringMatching(/^\d+$/),
    subjectName: null,
    limitKind: null,
    percent: null,
    thresholdCredits: null,
    autoPausedAt: null,
    endsAt: null,
  }
  const alerts = await listTeamAlerts(tool, own.team.id, 50)
  expect(alerts.map(({ raisedAt, ...alert }) => ({ ...alert, at: raisedAt.toISOString() }))).toEqual([
    { ...none, kind: 'plan.expiring', subjectId: own.team.id, endsAt: inDays(3), at: start.toISOString() },
    { ...none, kind: 'credits.low', subjectId: own.team.id, thresholdCredits: 1.5, at: start.toISOString() },
    {
      ...none,
      kind: 'key.near_ceiling',
      subjectId: own.key.id,
      subjectName: 'test key',
      limitKind: 'daily',
      percent: 100,
      at: start.toISOString(),
    },
  ])
  expect(await listTeamAlerts(tool, own.team.id, 1)).toHaveLength(1)
  expect(await listTeamAlerts(tool, other.team.id, 50)).toEqual([])
})

test('alerts are listed for 30 days', async () => {
  const { team } = await aTeamWithKey(services, { credits: 1 })
  await updateTeam(tool, { id: team.id, lowCreditsThreshold: 10 })
  await raiseAlerts(tool)
  await clock.set(inDays(30))
  await pruneAlerts(tool)
  expect(await listTeamAlerts(tool, team.id, 50)).toHaveLength(1)
  await clock.set(inDays(31))
  await pruneAlerts(tool)
  expect(await listTeamAlerts(tool, team.id, 50)).toEqual([])
})
