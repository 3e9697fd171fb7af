import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../../../src/domain/access/keys/issueKey.ts'
import { revokeKey } from '../../../../src/domain/access/keys/revokeKey.ts'
import { updateKey } from '../../../../src/domain/access/keys/updateKey.ts'
import { openResultLink } from '../../../../src/domain/generations/links/openResultLink.ts'
import { openResultToken, resultLink } from '../../../../src/domain/generations/links/resultLink.ts'
import { startGeneration } from '../../../../src/domain/generations/start/startGeneration.ts'
import { testApp } from '../../../support/app.ts'
import { aServiceContext, aTeam, aTeamWithKey, restScopes } from '../../../support/factories.ts'
import { issueOf, refused } from '../../../support/refused.ts'
import { anEnding, aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const app = await testApp({ settings: loopback })
afterAll(app.close)
const { services, clock } = app
const context = () => aServiceContext(services)
const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000)

async function aKeyOf60Seconds() {
  const made = await aTeamWithKey(services)
  await updateKey(context(), { id: made.key.id, expiresAt: inSeconds(60) })
  return made
}

test('a key works until it expires, by the clock of the database, and is then refused like a revoked key', async () => {
  const { team, user } = await aTeam(services)
  const asked = { teamId: team.id, userId: user.id, name: 'short', scopes: restScopes, expiresAt: inSeconds(60) }
  const { apiKey, value } = await issueKey(context(), asked)
  expect(apiKey.expiresAt).toEqual(inSeconds(60))
  await clock.advance(59_999)
  expect((await app.ask('GET /account', { key: value })).status).toBe(200)
  await clock.advance(1)
  const answer = await app.ask('GET /account', { key: value })
  expect(answer).toMatchObject({ status: 401, body: { error: { code: 'invalid_token' } } })
  expect(answer.headers['www-authenticate']).toContain('invalid_token')
})

test('a start fails when its key expires meanwhile', async () => {
  const { key, context: asKey, spender } = await aKeyOf60Seconds()
  await clock.advance(60_000)
  const started = startGeneration(asKey, spender, { request: { familyId: 'sandbox-image', prompt: 'late' }, idempotencyKey: undefined })
  expect(await refused(started)).toMatchObject({ code: 'invalid_token' })
  const { rows } = await services.pool.query('select held_open::integer from api_keys where id = $1', [key.id])
  expect(rows).toEqual([{ held_open: 0 }])
})

test('the links of a key stop when it expires, and work again after a later expiry is set', async () => {
  const made = await aKeyOf60Seconds()
  const generationId = await anEnding(made, 'ready')
  const token = resultLink(services, { generationId, holder: { kind: 'key', keyId: made.key.id } }).url.split('/r/')[1] ?? ''
  expect(await openResultLink(services, token)).toMatchObject({ generationId })
  await clock.advance(60_000)
  expect(await refused(openResultLink(services, token))).toMatchObject({ code: 'not_found' })
  await updateKey(context(), { id: made.key.id, expiresAt: null })
  expect(await openResultLink(services, token)).toMatchObject({ generationId })
  expect((await app.ask('GET /account', { key: made.value })).status).toBe(200)
})

test('a wait is refused when the key expires meanwhile', async () => {
  const { value, user } = await aKeyOf60Seconds()
  const started = await app.ask('POST /generations', { key: value, body: { familyId: 'sandbox-image', prompt: 'a boat' } })
  const waiting = app.ask(`GET /generations/${started.body.generationId}?wait=1`, { key: value })
  const admitted = () => services.pool.query('select requests from request_counts where subject = $1', [`user:${user.id}`])
  await expect.poll(async () => (await admitted()).rows[0].requests).toBe(2)
  await clock.advance(60_000)
  expect((await waiting).status).toBe(401)
})

test('if the key expired before the generation ended, the webhook body contains a link of the subscription', async () => {
  const made = await aKeyOf60Seconds()
  const { subscription } = await aSubscription(services, made, 'http://127.0.0.1:9/')
  await anEnding(made, 'ready', { before: () => clock.advance(60_000) })
  const { rows } = await services.pool.query('select body from webhook_deliveries where subscription_id = $1', [subscription.id])
  const link: string = JSON.parse(rows[0].body).data.generation.result.url
  const holder = { kind: 'subscription', subscriptionId: subscription.id }
  expect(openResultToken(services.ring, clock, link.split('/r/')[1] ?? '')).toMatchObject({ holder })
})

test('an expiry in the past is refused at its field, at the issue and at an update; null and a later time are accepted', async () => {
  const { team, key } = await aTeamWithKey(services)
  const asked = { teamId: team.id, name: 'late', scopes: restScopes }
  expect(await issueOf(issueKey(context(), { ...asked, expiresAt: clock.now() }))).toBe('expiresAt: too_small')
  expect(await issueOf(updateKey(context(), { id: key.id, name: 'other', expiresAt: inSeconds(-1) }))).toBe('expiresAt: too_small')
  expect(await updateKey(context(), { id: key.id, expiresAt: inSeconds(5) })).toMatchObject({ name: key.name, expiresAt: inSeconds(5) })
  expect(await updateKey(context(), { id: key.id, dailyLimitCredits: 3 })).toMatchObject({ expiresAt: inSeconds(5) })
  expect(await updateKey(context(), { id: key.id, expiresAt: null })).toMatchObject({ expiresAt: null, dailyLimit: 300 })
})

test('a revoked key never works again, with any expiry', async () => {
  const { key, value } = await aKeyOf60Seconds()
  await revokeKey(context(), key.id)
  for (const expiresAt of [inSeconds(3600), null]) {
    await updateKey(context(), { id: key.id, expiresAt })
    expect((await app.ask('GET /account', { key: value })).status).toBe(401)
  }
})
