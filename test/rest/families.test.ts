import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, expect, test } from 'vitest'
import type { PublicFamily } from '../../src/contract/shapes/family.ts'
import { media } from '../../src/contract/shapes/media.ts'
import { tasks } from '../../src/contract/shapes/tasks.ts'
import { setFamilyAvailability } from '../../src/domain/access/availability/setFamilyAvailability.ts'
import { rotateKey } from '../../src/domain/access/keys/rotateKey.ts'
import { updateKey } from '../../src/domain/access/keys/updateKey.ts'
import { updateTeam } from '../../src/domain/access/teams/teams.ts'
import { testApp } from '../support/app.ts'
import { aServiceContext, aTeamWithKey } from '../support/factories.ts'

const app = await testApp()
afterAll(app.close)
const operator = aServiceContext(app.services)
const { value: key } = await aTeamWithKey(app.services)

const list = (query = '', as = key) => app.ask(`GET /families${query}`, { key: as })
const idsOf = async (query: string) => (await list(query)).body.items.map(({ id }) => id).toSorted()

test('all families are listed, locked ones with the reason', async () => {
  const { status, body } = await list()
  expect({ status, nextCursor: body.nextCursor }).toEqual({ status: 200, nextCursor: null })
  const locks = Object.fromEntries(body.items.map(({ id, available, lockReason }) => [id, available || lockReason]))
  expect(locks).toEqual({
    'sandbox-3d': true,
    'sandbox-audio': true,
    'sandbox-edit': true,
    'sandbox-image': true,
    'sandbox-locked': 'subscription_required',
    'sandbox-offline': 'temporarily_unavailable',
    'sandbox-sound': true,
    'sandbox-texture': true,
    'sandbox-video': true,
    'sandbox-clip': true,
  })
  for (const { id } of body.items)
    expect((await app.ask(`GET /families/${id}`, { key })).body).toEqual(body.items.find((each) => each.id === id))
})

test('a subscription unlocks families that require one', async () => {
  const { value } = await aTeamWithKey(app.services, { subscriptionActive: true })
  const { body } = await app.ask('GET /families/sandbox-locked', { key: value })
  expect(body.available).toBe(true)
  expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['lockReason']))
})

test('task and output type narrow the list', async () => {
  expect(await idsOf('?task=image-to-image')).toEqual(['sandbox-image'])
  expect(await idsOf('?outputType=video')).toEqual(['sandbox-clip', 'sandbox-video'])
  expect(await idsOf('?outputType=image&task=text-to-image')).toEqual(['sandbox-image', 'sandbox-locked', 'sandbox-offline'])
  expect(await idsOf('?outputType=audio&task=text-to-image')).toEqual([])
  for (const task of tasks) expect((await list(`?task=${task}`)).status).toBe(200)
})

const faulty: [query: string, path: string, code: string][] = [
  ['?task=unknown', 'task', 'not_allowed'],
  ['?task=', 'task', 'not_allowed'],
  ['?task', 'task', 'not_allowed'],
  ['?task=Text-to-image', 'task', 'not_allowed'],
  ['?task=text-to-image+', 'task', 'not_allowed'],
  ['?outputType=text', 'outputType', 'not_allowed'],
  ['?task=inpaint&task=inpaint', 'task', 'conflict'],
  ['?task=inpaint&%74ask=inpaint', 'task', 'conflict'],
  ['?task[]=inpaint', 'task[]', 'unknown_field'],
  ['?task[$ne]=x', 'task[$ne]', 'unknown_field'],
  ['?family=x', 'family', 'unknown_field'],
  ['?__proto__=1', '__proto__', 'unknown_field'],
  ['?constructor=1', 'constructor', 'unknown_field'],
  ['?=1', '', 'unknown_field'],
  ['?task=%00', 'task', 'bad_format'],
]

test.each(faulty)('GET /families%s is refused at %s with %s', async (query, path, code) => {
  expect(await list(query)).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_request', details: { issues: [{ in: 'query', path: [path], code }] } } },
  })
})

test.each(['%ZZ', '%', '%ED%A0%80', '%C3'])('a broken escape %s in the query is refused', async (escape) => {
  expect(await list(`?task=${escape}`)).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_request', details: { issues: [{ in: 'query', code: 'bad_format' }] } } },
  })
})

test('a refused filter lists what is allowed', async () => {
  const allowed = (answer: Awaited<ReturnType<typeof list>>) => (answer.body.error.details['issues'] as { allowed: string[] }[])[0]?.allowed
  expect(allowed(await list('?task=x'))).toEqual(tasks)
  expect(allowed(await list('?outputType=x'))).toEqual(['image', 'video', 'audio', 'model3d'])
})

test('the refusal of an unknown family has its identifier', async () => {
  expect(await app.ask('GET /families/nothing', { key })).toMatchObject({
    status: 400,
    body: { error: { code: 'family_not_found', retryable: false, details: { familyId: 'nothing' } } },
  })
  expect(await app.ask('GET /families/sandbox-image?x=1', { key })).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_request' } },
  })
})

test('an unchanged ETag returns 304 until the family changes for the caller', async () => {
  for (const path of ['/families', '/families/sandbox-image', '/families?task=text-to-3d']) {
    const first = await app.ask(`GET ${path}`, { key })
    const etag = String(first.headers['etag'])
    expect(etag).toMatch(/^"[\w-]+"$/)
    for (const copy of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await app.ask(`GET ${path}`, { key, headers: { 'if-none-match': copy } })
      expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', etag])
    }
    for (const copy of ['"other"', etag.slice(1, -1), '']) {
      expect((await app.ask(`GET ${path}`, { key, headers: { 'if-none-match': copy } })).status).toBe(200)
    }
  }
  const before = String((await app.ask('GET /families/sandbox-image', { key })).headers['etag'])
  await setFamilyAvailability(operator, { familyId: 'sandbox-image', available: false })
  const locked = await app.ask('GET /families/sandbox-image', { key, headers: { 'if-none-match': before } })
  expect(locked).toMatchObject({ status: 200, body: { available: false, lockReason: 'temporarily_unavailable' } })
  expect(await app.ask('POST /generations/estimate', { key, body: { familyId: 'sandbox-image', prompt: 'x' } })).toMatchObject({
    status: 503,
    headers: { 'retry-after': '60' },
    body: { error: { code: 'family_unavailable', retryable: true, details: { familyId: 'sandbox-image', retryAfterSeconds: 60 } } },
  })
  await setFamilyAvailability(operator, { familyId: 'sandbox-image', available: true })
  expect((await app.ask('GET /families/sandbox-image', { key })).headers['etag']).toBe(before)
})

test('the parameters of every family are a valid JSON Schema without additional properties', async () => {
  const { body } = await list()
  const ajv = new Ajv2020({ strict: true })
  for (const { parameters } of body.items) {
    expect(parameters).toMatchObject({
      type: 'object',
      additionalProperties: false,
      properties: { prompt: { maxLength: expect.any(Number), description: expect.stringContaining('characters') } },
    })
    const validate = ajv.compile(parameters)
    expect(validate({ outcome: 'success', runSeconds: 1 })).toBe(true)
    expect(validate({ nothing: 1 })).toBe(false)
  }
})

test('the prompt limit names the place of the prompt, and no variant has a prompt parameter', async () => {
  const { body } = await list()
  for (const { id, available, parameters, variants } of body.items as unknown as PublicFamily[]) {
    expect(parameters).toMatchObject({ properties: { prompt: { description: expect.stringContaining('top level') } } })
    for (const variant of variants) {
      expect(variant.parameters['properties']).not.toHaveProperty('prompt')
      expect(new Ajv2020({ strict: true }).validate(variant.parameters, { outcome: 'success', runSeconds: 1 })).toBe(true)
    }
    const takesText = variants.some(({ inputs }) => media.every((medium) => inputs[medium].min === 0))
    if (!available || !takesText) continue
    const asked = { familyId: id, prompt: 'a lighthouse', parameters: { prompt: 'a lighthouse' } }
    expect(await app.ask('POST /generations', { key, body: asked })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_parameters', details: { issues: [{ path: ['parameters', 'prompt'], code: 'unknown_field' }] } } },
    })
  }
})

test('the account has the expiry of its key and of its previous value', async () => {
  const expiresAt = new Date('2026-06-01T00:00:00Z')
  const made = await aTeamWithKey(app.services)
  await updateKey(operator, { id: made.key.id, expiresAt })
  const { value } = await rotateKey(operator, { id: made.key.id, overlapHours: 2 })
  const previousValueEndsAt = new Date(app.services.clock.now().getTime() + 2 * 3_600_000).toISOString()
  const keyAs = async (as: string) => (await app.ask('GET /account', { key: as })).body.key
  for (const each of [value, made.value]) {
    expect(await keyAs(each)).toMatchObject({ prefix: value.slice(0, 12), expiresAt: expiresAt.toISOString(), previousValueEndsAt })
  }
  await rotateKey(operator, { id: made.key.id, overlapHours: 0 })
  expect((await app.ask('GET /account', { key: value })).status).toBe(401)
})

test('the account shows the key, its team and its ceilings', async () => {
  const made = await aTeamWithKey(app.services, { credits: 12.5, dailyLimitCredits: 7.25, singleLimitCredits: 3 })
  await updateTeam(operator, { id: made.team.id, planExpiresAt: new Date('2027-03-01T00:00:00Z') })
  const monthly = { limitCredits: null, spentCredits: 0, heldCredits: 0, remainingCredits: null, resetsAt: '2026-04-01T00:00:00.000Z' }
  expect((await app.ask('GET /account', { key: made.value })).body).toEqual({
    creditsAvailable: 12.5,
    files: { filesUsed: 0, filesMax: 10_000, bytesUsed: 0, bytesMax: 10_737_418_240 },
    team: { id: made.team.id, name: made.team.name, state: 'active', expiresAt: '2027-03-01T00:00:00.000Z', limits: { monthly } },
    key: {
      id: made.key.id,
      name: 'test key',
      prefix: made.value.slice(0, 12),
      permissions: ['catalog:read', 'generations:read', 'generations:write', 'files:write', 'account:read'],
      expiresAt: null,
      previousValueEndsAt: null,
      limits: {
        daily: { limitCredits: 7.25, spentCredits: 0, heldCredits: 0, remainingCredits: 7.25, resetsAt: '2026-03-11T00:00:00.000Z' },
        monthly,
        single: { limitCredits: 3 },
      },
    },
  })
  const { body } = await app.ask('GET /account', { key })
  expect(body.key.limits).toMatchObject({ daily: { limitCredits: null, remainingCredits: null }, single: { limitCredits: null } })
  expect(body.team).toMatchObject({ expiresAt: null })
  expect(await app.ask('GET /account?key=1', { key })).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
})
