import { createHmac } from 'node:crypto'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { issueKey } from '../../../../src/domain/access/keys/issueKey.ts'
import { refusalsOfKey } from '../../../../src/domain/access/keys/keyRefusals.ts'
import { deleteTeam } from '../../../../src/domain/access/teams/deleteTeam.ts'
import { updateTeam } from '../../../../src/domain/access/teams/teams.ts'
import { purgeDeletedOwners } from '../../../../src/domain/generations/retention/purgeDeletedOwners.ts'
import { updateAlertSubscription } from '../../../../src/domain/webhooks/alerts/changeAlertSubscription.ts'
import { listTeamAlerts } from '../../../../src/domain/webhooks/alerts/listTeamAlerts.ts'
import { pruneAlerts, raiseAlerts } from '../../../../src/domain/webhooks/alerts/raiseAlerts.ts'
import { alertsOf, anAlertSubscription } from '../../../support/alerts/alerts.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { deliveryRun, soon } from '../../../support/webhooks/deliveryRun.ts'
import { aReceiver } from '../../../support/webhooks/receiver.ts'
import { loopback } from '../../../support/webhooks/webhooks.ts'

const { services, clock, databaseUrl, close } = await testServices({ settings: loopback })
const other = await testServices({ settings: loopback, databaseUrl, clock })
afterAll(async () => {
  await other.close()
  await close()
})
const tool = aServiceContext(services)
const { delivering } = deliveryRun(services)
const nowhere = 'http://127.0.0.1:9/alerts'
const start = new Date('2026-03-10T12:00:00.000Z')
const inDays = (days: number) => new Date(start.getTime() + days * 86_400_000)
beforeEach(() => clock.set(start))

test('an alert is signed with the secret of its subscription, and retried with the same bytes', async () => {
  const team = await aTeamWithKey(services)
  await updateTeam(tool, { id: team.team.id, lowCreditsThreshold: 1_000_000 })
  const receiver = await aReceiver((response) => response.writeHead(receiver.received.length < 3 ? 503 : 204).end())
  const { signingSecret } = await anAlertSubscription(services, team, receiver.address)
  await raiseAlerts(tool)
  await delivering()
  await vi.waitFor(() => expect(receiver.received).toHaveLength(3), soon)
  expect(new Set(receiver.ids()).size).toBe(1)
  expect(new Set(receiver.received.map(({ body }) => String(body))).size).toBe(1)
  for (const { headers, body } of receiver.received) {
    const seconds = String(headers['webhook-timestamp'])
    const digest = createHmac('sha256', signingSecret).update(`${seconds}.`).update(body).digest('hex')
    expect(headers['x-service-signature']).toBe(`t=${seconds},v1=${digest}`)
  }
})

test('two processes record each alert once, and each subscription numbers its events without gaps', async () => {
  const team = await aTeamWithKey(services)
  const ids: string[] = []
  for (let count = 0; count < 3; count += 1)
    ids.push((await anAlertSubscription(services, team, nowhere, ['key.expiring'])).subscription.id)
  const keyOf = (index: number) =>
    issueKey(tool, { teamId: team.team.id, userId: team.user.id, name: `key ${index}`, scopes: ['mcp'], expiresAt: inDays(2) })
  for (let count = 0; count < 20; count += 1) await keyOf(count)
  const counts = await Promise.all(
    [services, other.services, services, other.services].map((process) => raiseAlerts(aServiceContext(process))),
  )
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(60)
  for (const id of ids) {
    expect(new Set((await alertsOf(services, id)).map(({ data }) => data['keyId'])).size).toBe(20)
    const { rows } = await services.pool.query('select event_number from webhook_deliveries where subscription_id = $1 order by 1', [id])
    expect(rows.map((row) => row.event_number)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  }
})

test('only the own team is alerted, of the chosen kinds, and not during a pause', async () => {
  const team = await aTeamWithKey(services)
  const foreign = await aTeamWithKey(services)
  const own = await anAlertSubscription(services, team, nowhere)
  const theirs = await anAlertSubscription(services, foreign, nowhere)
  const choosy = await anAlertSubscription(services, team, nowhere, ['plan.expiring'])
  await updateTeam(tool, { id: team.team.id, lowCreditsThreshold: 1_000_000 })
  await updateAlertSubscription(tool, { id: own.subscription.id, paused: true })
  await raiseAlerts(tool)
  const recorded = () =>
    Promise.all([own, theirs, choosy].map(async ({ subscription }) => (await alertsOf(services, subscription.id)).length))
  expect(await recorded()).toEqual([0, 0, 0])
  await updateAlertSubscription(tool, { id: own.subscription.id, paused: false })
  await raiseAlerts(tool)
  expect(await recorded()).toEqual([1, 0, 0])
})

test('the deletion of a team ends its alerts and deletes what was recorded', async () => {
  const team = await aTeamWithKey(services)
  const { subscription } = await anAlertSubscription(services, team, 'http://127.0.0.1:9/marked-alerts')
  await updateTeam(tool, { id: team.team.id, lowCreditsThreshold: 1_000_000, name: 'Doomed' })
  await raiseAlerts(tool)
  await services.pool.query(`insert into key_refusals values ($1, utc_day(present()), 'rate_limited', 1, present())`, [team.key.id])
  expect(await refusalsOfKey(tool, team.key.id)).toHaveLength(1)
  expect(await alertsOf(services, subscription.id)).toHaveLength(1)
  expect(await listTeamAlerts(tool, team.team.id, 10)).toHaveLength(1)
  await deleteTeam(tool, { teamId: team.team.id, name: 'Doomed' })
  await purgeDeletedOwners(tool)
  await clock.set(inDays(1))
  await raiseAlerts(tool)
  expect(await alertsOf(services, subscription.id)).toEqual([])
  const { rows } = await services.pool.query(
    `select address, secret, (select count(*)::integer from alerts where subscription_id = s.id) as alerts from webhook_subscriptions s where id = $1`,
    [subscription.id],
  )
  expect(rows).toEqual([{ address: '', secret: null, alerts: 0 }])
  expect(await listTeamAlerts(tool, team.team.id, 10)).toEqual([])
  expect(await refusalsOfKey(tool, team.key.id)).toEqual([])
})

test('records of alerts are deleted after 30 days', async () => {
  const team = await aTeamWithKey(services)
  await anAlertSubscription(services, team, nowhere)
  await updateTeam(tool, { id: team.team.id, lowCreditsThreshold: 1_000_000 })
  await raiseAlerts(tool)
  await clock.set(inDays(30))
  expect(await pruneAlerts(tool)).toBe(0)
  await clock.set(inDays(31))
  expect(await pruneAlerts(tool)).toBeGreaterThan(0)
})
