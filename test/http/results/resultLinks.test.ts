import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../../src/domain/access/keys/issueKey.ts'
import { revokeKey } from '../../../src/domain/access/keys/revokeKey.ts'
import { updateKey } from '../../../src/domain/access/keys/updateKey.ts'
import { removeTeamMember, setTeamMember } from '../../../src/domain/access/teams/memberships.ts'
import { updateTeam } from '../../../src/domain/access/teams/teams.ts'
import { resultLink } from '../../../src/domain/generations/links/resultLink.ts'
import { deleteSubscription } from '../../../src/domain/webhooks/subscriptions/deleteSubscription.ts'
import { testApp } from '../../support/app.ts'
import { aServiceContext, aTeamWithKey, restScopes, type TeamWithKey } from '../../support/factories.ts'
import { generationTransitions } from '../../support/generations/generationTransitions.ts'
import { aSubscription, loopback } from '../../support/webhooks/webhooks.ts'

const app = await testApp({ settings: loopback })
afterAll(app.close)
const { services, clock } = app
const operator = aServiceContext(services)
const moves = generationTransitions(services)
const content = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 256))

async function aResult(made: TeamWithKey): Promise<{ id: string; url: string }> {
  const started = await app.ask('POST /generations', { key: made.value, body: { familyId: 'sandbox-image', prompt: 'a lighthouse' } })
  const id = started.body.generationId
  await moves.begin(id)
  await moves.gather(id)
  await moves.finish(id, content)
  return { id, url: await linkTo(id, made.value) }
}

async function linkTo(id: string, key: string): Promise<string> {
  return String((await app.ask(`GET /generations/${id}`, { key })).body.result?.url)
}

const made = await aTeamWithKey(services)
const { id, url } = await aResult(made)
const notFound = { status: 404, body: { error: { code: 'not_found', message: expect.any(String), retryable: false } } }

test('a link returns the bytes with name and type, and reveals nothing about the storage', async () => {
  const answer = await fetch(url)
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(content)
  const headers = Object.fromEntries(answer.headers)
  expect(headers).toMatchObject({
    'content-type': 'image/png',
    'content-length': '1000',
    'content-disposition': `inline; filename="${id}.png"`,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    'x-request-id': expect.stringMatching(/^req_/),
    'x-ratelimit-limit': expect.any(String),
  })
  const { pathname } = new URL(url)
  expect(pathname).toMatch(/^\/r\/[\w-]+$/)
  for (const secret of [id, made.key.id, made.team.id, made.value])
    expect(Buffer.from(pathname.slice(3), 'base64url').toString('latin1')).not.toContain(secret)
})

test('?download=1 makes it an attachment', async () => {
  expect((await app.ask(`GET ${url}?download=1`)).headers['content-disposition']).toBe(`attachment; filename="${id}.png"`)
  expect((await app.ask(`GET ${url}?download=0`)).headers['content-disposition']).toMatch(/^inline/)
})

test('HEAD, ranges and cached copies are answered by the rules of HTTP', async () => {
  const head = await app.ask(`HEAD ${url}`)
  expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '1000'])
  const part = await fetch(url, { headers: { range: 'bytes=10-19' } })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 10-19/1000'])
  expect(Buffer.from(await part.arrayBuffer())).toEqual(content.subarray(10, 20))
  expect(await app.ask(`GET ${url}`, { headers: { range: 'bytes=1000-' } })).toMatchObject({
    status: 416,
    headers: { 'content-range': 'bytes */1000' },
  })
  expect((await app.ask(`GET ${url}`, { headers: { 'if-none-match': String(head.headers['etag']) } })).status).toBe(304)
})

test('a link is never announced beyond the end of its key', async () => {
  const ends = await aTeamWithKey(services)
  const { id: own } = await aResult(ends)
  const expiresAt = new Date(clock.now().getTime() + 3_600_500)
  await updateKey(operator, { id: ends.key.id, expiresAt })
  for (const what of [`GET /generations/${own}`, `GET /generations/${own}?wait=1`])
    expect((await app.ask(what, { key: ends.value })).body.result?.urlExpiresAt).toBe(expiresAt.toISOString())
  const { items } = (await app.ask('GET /generations', { key: ends.value })).body
  expect(items.map(({ result }) => result?.urlExpiresAt)).toEqual([expiresAt.toISOString()])
})

test('a link works for 48 hours, as announced', async () => {
  const { body } = await app.ask(`GET /generations/${id}`, { key: made.value })
  const now = clock.now()
  expect(Date.parse(String(body.result?.urlExpiresAt)) - now.getTime()).toBe(48 * 3_600_000)
  const link = String(body.result?.url)
  await clock.advance(48 * 3_600_000 - 1000)
  expect((await app.ask(`GET ${link}`)).status).toBe(200)
  await clock.advance(1000)
  expect(await app.ask(`GET ${link}`)).toMatchObject(notFound)
  await clock.set(now)
})

test('a link stops working when the issuer of its key loses the role, and works again with the role', async () => {
  const own = await aTeamWithKey(services)
  const result = await aResult(own)
  const statusOfLink = async () => (await app.ask(`GET ${result.url}`)).status
  const member = { teamId: own.team.id, userId: own.user.id }
  expect(await statusOfLink()).toBe(200)
  await setTeamMember(operator, { ...member, role: 'member' })
  expect(await statusOfLink()).toBe(404)
  await setTeamMember(operator, { ...member, role: 'admin' })
  expect(await statusOfLink()).toBe(200)
  await removeTeamMember(operator, member)
  expect(await statusOfLink()).toBe(404)
})

test('a link stops working as soon as the key that obtained it is revoked, and with no other key', async () => {
  const own = await aTeamWithKey(services)
  const second = await issueKey(operator, { teamId: own.team.id, name: 'second', scopes: restScopes })
  const result = await aResult(own)
  const ofSecond = await linkTo(result.id, second.value)
  await revokeKey(operator, own.key.id)
  expect(await app.ask(`GET ${result.url}`)).toMatchObject(notFound)
  expect(await app.ask(`GET ${result.url}`, { headers: { range: 'bytes=0-1' } })).toMatchObject(notFound)
  expect((await app.ask(`HEAD ${result.url}`)).status).toBe(404)
  expect((await app.ask(`GET ${ofSecond}`)).status).toBe(200)
  await updateTeam(operator, { id: own.team.id, blocked: true })
  await revokeKey(operator, second.apiKey.id)
  expect(await app.ask(`GET ${ofSecond}`)).toMatchObject(notFound)
})

test('a link returns 404 while its team is blocked or its external access is closed, and works again afterwards', async () => {
  const own = await aTeamWithKey(services)
  const { id: generationId, url: link } = await aResult(own)
  const ofATool = resultLink(services, { generationId, holder: { kind: 'service' } }).url
  for (const [closed, open] of [
    [{ blocked: true }, { blocked: false }],
    [{ externalAccess: false }, { externalAccess: true }],
  ]) {
    await updateTeam(operator, { id: own.team.id, ...closed })
    for (const each of [link, ofATool]) expect(await app.ask(`GET ${each}`)).toMatchObject(notFound)
    await updateTeam(operator, { id: own.team.id, ...open })
    for (const each of [link, ofATool]) expect((await app.ask(`GET ${each}`)).status).toBe(200)
  }
})

test.each([
  ['an internal tool', { kind: 'service' }],
  ['a signed-in person', { kind: 'person', userId: made.user.id }],
] as const)('a link of %s works for 15 minutes, as announced', async (_, holder) => {
  const { url: link, expiresAt } = resultLink(services, { generationId: id, holder })
  const now = clock.now()
  expect(expiresAt.getTime() - now.getTime()).toBe(15 * 60_000)
  await clock.advance(15 * 60_000 - 1000)
  expect((await app.ask(`GET ${link}`)).status).toBe(200)
  await clock.advance(1000)
  expect(await app.ask(`GET ${link}`)).toMatchObject(notFound)
  await clock.set(now)
})

test('a link of a webhook subscription works after the key is revoked, until the subscription is deleted', async () => {
  const own = await aTeamWithKey(services)
  const { id: generationId } = await aResult(own)
  const { subscription } = await aSubscription(services, own, 'http://127.0.0.1:9/hook')
  const { url: link } = resultLink(services, { generationId, holder: { kind: 'subscription', subscriptionId: subscription.id } })
  await revokeKey(operator, own.key.id)
  expect((await app.ask(`GET ${link}`)).status).toBe(200)
  await deleteSubscription(operator, subscription.id)
  expect(await app.ask(`GET ${link}`)).toMatchObject(notFound)
})

test('altered, foreign and invented links all return the same 404', async () => {
  const token = url.slice(url.lastIndexOf('/') + 1)
  const cursor = String((await app.ask('GET /generations?limit=1', { key: made.value })).body.nextCursor)
  const answers = new Set<string>()
  const invented = [
    token.slice(0, -1),
    `${token}A`,
    `A${token}`,
    token.slice(0, 10) + (token[10] === 'A' ? 'B' : 'A') + token.slice(11),
    token.toLowerCase(),
    `${token}%3D`,
    cursor,
    'A'.repeat(140),
    'x',
    '%00',
    '%F0%9F%8C%8A',
    '..%2f..%2fetc%2fpasswd',
    'A'.repeat(15_000),
  ]
  for (const each of invented) {
    const answer = await app.ask(`GET //r/${each}`)
    expect(answer).toMatchObject(notFound)
    answers.add(answer.text)
  }
  expect(answers.size).toBe(1)
})

test('every read creates a new link, and all of them work', async () => {
  const links = await Promise.all([1, 2, 3].map(() => linkTo(id, made.value)))
  expect(new Set(links).size).toBe(3)
  for (const link of links) expect((await app.ask(`GET ${link}`)).status).toBe(200)
})

test('a result that is missing in storage returns 404, not 500', async () => {
  const gone = await aResult(made)
  const { rows } = await services.pool.query<{ key: string }>(`select result->>'storageKey' as key from generations where id = $1`, [
    gone.id,
  ])
  await services.storage.remove(String(rows[0]?.key))
  expect(await app.ask(`GET ${gone.url}`)).toMatchObject(notFound)
  expect(app.logged).toContainEqual(expect.objectContaining({ level: 'error', message: 'a stored object is lost' }))

  await services.storage.put(String(rows[0]?.key), Readable.from([Buffer.from('cut')]))
  expect(await app.ask(`GET ${gone.url}`)).toMatchObject(notFound)
})
