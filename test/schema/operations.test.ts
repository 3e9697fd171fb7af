import { afterAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../src/contract/ids.ts'
import { account as accountShape } from '../../src/contract/shapes/account.ts'
import { estimate as estimateShape } from '../../src/contract/shapes/estimate.ts'
import { family as familyShape } from '../../src/contract/shapes/family.ts'
import { generation as generationShape } from '../../src/contract/shapes/generation.ts'
import { listOf } from '../../src/contract/shapes/queries.ts'
import { cancelledGeneration, startedGeneration } from '../../src/contract/shapes/startedGeneration.ts'
import { setFamilyAvailability } from '../../src/domain/access/availability/setFamilyAvailability.ts'
import { contextFor } from '../../src/domain/context.ts'
import { compileOperation, operations } from '../../src/schema/operations.ts'
import { schema } from '../../src/schema/schema.ts'
import { actorOf, aServiceContext, aTeamWithKey, type TeamWithKey } from '../support/factories.ts'
import { account, cancel, compile, estimate, families, family, get, history, signal, start } from '../support/http/compiledOperations.ts'
import { refused } from '../support/refused.ts'
import { testServices } from '../support/services.ts'

const { services, close } = await testServices()
afterAll(close)

const boat = { familyId: 'sandbox-image', prompt: 'a boat' }
let made: TeamWithKey
beforeEach(async () => {
  made = await aTeamWithKey(services)
})

/** The REST document of the first field of a response. */
function jsonOf(data: Record<string, unknown>): unknown {
  return (Object.values(data)[0] as { json: unknown }).json
}

async function started(input: Record<string, unknown> = boat): Promise<{ generationId: string }> {
  const data = await start({ input }, made.context, signal)
  return (data['startGeneration'] as { generation: { json: { generationId: string } } }).generation.json
}

test('a start, a read, a list and a cancel return the documents of REST in one shape', async () => {
  const document = await started()
  expect(generationShape.parse(document)).toMatchObject({ state: 'queued', creditsHeld: 1 })
  expect(jsonOf(await get({ id: document.generationId, waitSeconds: 0 }, made.context, signal))).toEqual(document)
  expect(jsonOf(await history({ limit: 50 }, made.context, signal))).toEqual({ items: [document], nextCursor: null })
  const cancelled = cancelledGeneration.parse(jsonOf(await cancel({ id: document.generationId }, made.context, signal)))
  expect(cancelled).toEqual({
    generationId: document.generationId,
    state: 'cancelled',
    cancelled: true,
    creditsCharged: 0,
    creditsReturned: 1,
  })
})

test('a repeat with the same idempotency key is marked as a replay', async () => {
  const asked = { input: { ...boat, parameters: { width: 128 } }, key: 'k' }
  const first = await start(asked, made.context, signal)
  expect(await start(asked, made.context, signal)).toEqual({ startGeneration: { ...(first['startGeneration'] as object), replayed: true } })
})

test('the history pages with the cursors of REST', async () => {
  for (let count = 0; count < 3; count++) await started()
  const first = jsonOf(await history({ limit: 2, status: 'active' }, made.context, signal)) as { items: unknown[]; nextCursor: string }
  expect(first.items).toHaveLength(2)
  const second = jsonOf(await history({ limit: 2, status: 'active', cursor: first.nextCursor }, made.context, signal))
  expect(second).toMatchObject({ items: [{ state: 'queued' }], nextCursor: null })
  expect(await refused(history({ limit: 2, cursor: first.nextCursor }, made.context, signal))).toMatchObject({ code: 'invalid_cursor' })
  expect(await refused(history({ limit: 2, status: 'soon' }, made.context, signal))).toMatchObject({ code: 'invalid_request' })
})

test('estimate, catalog and account return the documents of REST', async () => {
  expect(estimateShape.parse(jsonOf(await estimate({ input: boat }, made.context, signal)))).toMatchObject({ credits: 1, sufficient: true })
  const listed = (await families({ task: undefined, outputType: 'image' }, made.context, signal))['families'] as {
    nodes: { json: unknown }[]
  }
  expect(listed.nodes.map(({ json }) => familyShape.parse(json).id)).toEqual([
    'sandbox-edit',
    'sandbox-image',
    'sandbox-locked',
    'sandbox-offline',
  ])
  expect(await families({ task: 'lip-sync', outputType: 'audio' }, made.context, signal)).toEqual({ families: { nodes: [] } })
  expect(familyShape.parse(jsonOf(await family({ id: 'sandbox-3d' }, made.context, signal)))).toMatchObject({
    id: 'sandbox-3d',
    available: true,
  })
  expect(await family({ id: '__proto__' }, made.context, signal)).toEqual({ family: null })
  await started()
  const { account: document } = await account({}, made.context, signal)
  expect(document).toMatchObject({ creditsAvailable: 999, creditsHeld: 1 })
  expect(accountShape.parse((document as { json: unknown }).json)).toMatchObject({ creditsAvailable: 999, key: { id: made.key.id } })
})

test('the caller and the operator determine the lock of a family', async () => {
  const lockOf = async (id: string, context = made.context) =>
    (jsonOf(await family({ id }, context, signal)) as { lockReason?: string }).lockReason
  expect(await lockOf('sandbox-locked')).toBe('subscription_required')
  expect(await lockOf('sandbox-locked', contextFor(services, actorOf(made.key, { subscriptionActive: true })))).toBeUndefined()
  await setFamilyAvailability(aServiceContext(services), { familyId: 'sandbox-audio', available: false })
  expect(await lockOf('sandbox-audio')).toBe('temporarily_unavailable')
})

test('a refusal of a rule arrives unchanged, with its details', async () => {
  expect(await refused(start({ input: { ...boat, familyId: 'none' } }, made.context, signal))).toEqual({
    code: 'family_not_found',
    details: { familyId: 'none' },
  })
  expect(await refused(get({ id: newId('gen'), waitSeconds: 0 }, made.context, signal))).toMatchObject({ code: 'generation_not_found' })
  const dear = await refused(start({ input: { ...boat, maxCredits: 0.5 } }, made.context, signal))
  expect(dear).toEqual({ code: 'cost_above_limit', details: { credits: 1, maxCredits: 0.5 } })
})

test('the schemas of REST validate the input, with the paths of REST', async () => {
  const input = { ...boat, modelId: 'sandbox-image-draft', axes: { version: 5 } }
  const { code, details } = await refused(start({ input }, made.context, signal))
  expect({ code, issues: details?.['issues'] }).toEqual({
    code: 'invalid_request',
    issues: expect.arrayContaining([expect.objectContaining({ in: 'body', path: ['axes', 'version'], code: 'wrong_type' })]),
  })
  expect(await refused(start({ input: boat, key: '' }, made.context, signal))).toMatchObject({ code: 'invalid_request' })
})

test('a parameter called __proto__ reaches the rule that refuses it', async () => {
  const parameters = JSON.parse('{"__proto__": 1}') as unknown
  expect(await refused(start({ input: { ...boat, parameters } }, made.context, signal))).toMatchObject({ code: 'invalid_parameters' })
})

test('an operation returns the document of a root field; a field without one fails at the start', async () => {
  const caller = { signal }
  const asked = { input: boat, idempotencyKey: undefined }
  const document = await operations.compile({ kind: 'mutation', name: 'startGeneration' })(asked, made.context, caller)
  expect(startedGeneration.parse(document)).toMatchObject({ state: 'queued', replayed: false })
  const list = await operations.compile({ kind: 'query', name: 'families' })({ outputType: 'video' }, made.context, caller)
  expect(listOf(familyShape, 'FamilyList').parse(list)).toMatchObject({
    items: [{ id: 'sandbox-clip' }, { id: 'sandbox-video' }],
    nextCursor: null,
  })
  expect(await operations.compile({ kind: 'query', name: 'family' })({ id: 'nothing' }, made.context, caller)).toBeUndefined()
  for (const name of ['nothing', 'viewer']) expect(() => operations.compile({ kind: 'query', name })).toThrow(name)
})

test('validated arguments are not validated again; other arguments are', async () => {
  const unread = { input: { ...boat, maxCredits: -1 } }
  const ofADoor = operations.compile({ kind: 'query', name: 'estimate' })
  expect(await ofADoor(unread, made.context, { signal })).toMatchObject({ blockers: ['cost_above_limit'] })
  expect(await refused(estimate(unread, made.context, signal))).toMatchObject({ code: 'invalid_request' })
})

test('an operation that does not fit the schema fails at the start', () => {
  expect(() => compileOperation(schema, '{ nobody }')).toThrow('nobody')
  expect(() => compile('query ($id: ID) { family(id: $id) { json } }')).toThrow('$id')
})

test('a wait ends at once when the client disconnects', async () => {
  const { generationId: id } = await started()
  const controller = new AbortController()
  const waiting = get({ id, waitSeconds: 60 }, made.context, controller.signal)
  setImmediate(() => controller.abort())
  expect(jsonOf(await waiting)).toMatchObject({ state: 'queued', pollAfterSeconds: expect.any(Number) })
})
