import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { revokeKey } from '../../../../src/domain/access/keys/revokeKey.ts'
import { updateTeam } from '../../../../src/domain/access/teams/teams.ts'
import type { Context } from '../../../../src/domain/context.ts'
import { deleteResult } from '../../../../src/domain/generations/results/deleteResult.ts'
import { previewResult } from '../../../../src/domain/generations/results/previewResult.ts'
import { startGeneration } from '../../../../src/domain/generations/start/startGeneration.ts'
import type { Inspector } from '../../../../src/media/inspector.ts'
import { WorkersUnavailable } from '../../../../src/media/workers/workersUnavailable.ts'
import { aServiceContext, aTeamWithKey, type TeamWithKey } from '../../../support/factories.ts'
import { generationTransitions } from '../../../support/generations/generationTransitions.ts'
import { refused } from '../../../support/refused.ts'
import { testServices } from '../../../support/services.ts'

const { services, logged, close } = await testServices()
afterAll(close)
const moves = generationTransitions(services)
const own = await aTeamWithKey(services)
const { signal } = new AbortController()

let shade = 0
/** A unique image, so that no cache has its content. */
function aPicture(): Promise<Buffer> {
  shade += 1
  return sharp({ create: { width: 40, height: 20, channels: 3, background: { r: shade, g: 0, b: 0 } } })
    .png()
    .toBuffer()
}

async function open(team: TeamWithKey = own, familyId = 'sandbox-image'): Promise<string> {
  const request = { familyId, prompt: 'x' }
  const { generation } = await startGeneration(team.context, team.spender, { request, idempotencyKey: undefined })
  return String(generation['generationId'])
}

async function aReady(content: Buffer, { team = own, familyId = 'sandbox-image' } = {}): Promise<string> {
  const id = await open(team, familyId)
  await moves.begin(id)
  await moves.gather(id)
  await moves.finish(id, content)
  return id
}

const preview = (generationId: string, { context = own.context, team = own }: { context?: Context; team?: TeamWithKey } = {}) =>
  previewResult(context, team.spender, { generationId, signal, waitMs: 60_000 })

/** The same services, with a count of rendered previews. */
function watched(before: () => unknown = () => undefined) {
  const made = { count: 0, atOnce: 0, mostAtOnce: 0 }
  const inspector: Inspector = {
    ...services.inspector,
    preview: async (path, options) => {
      made.count += 1
      made.atOnce += 1
      made.mostAtOnce = Math.max(made.mostAtOnce, made.atOnce)
      try {
        await before()
        return await services.inspector.preview(path, options)
      } finally {
        made.atOnce -= 1
      }
    },
  }
  return { made, context: { ...own.context, inspector } }
}

test('a preview is rendered once for concurrent and later requests', async () => {
  const { made, context } = watched()
  const id = await aReady(await aPicture())
  const asked = await Promise.all(Array.from({ length: 8 }, () => preview(id, { context })))
  expect(new Set(asked.map((each) => each?.base64)).size).toBe(1)
  expect(asked[0]).toEqual(await preview(id, { context }))
  expect(made.count).toBe(1)
})

test('previews are rendered one after another, and too many concurrent requests get none for now', async () => {
  const { made, context } = watched()
  await preview(await aReady(await aPicture()), { context })
  const ids: string[] = []
  for (let count = 0; count < 20; count += 1) ids.push(await aReady(await aPicture()))
  const asked = await Promise.all(ids.map((id) => preview(id, { context })))
  expect(made.mostAtOnce).toBe(1)
  expect(asked.filter((each) => each !== undefined)).toHaveLength(17)
  expect(await Promise.all(ids.map((id) => preview(id, { context })))).not.toContain(undefined)
})

test('a cached preview is not returned after its result is deleted', async () => {
  const id = await aReady(await aPicture())
  expect(await preview(id)).toBeDefined()
  await deleteResult(own.context, own.spender, id)
  expect(await preview(id)).toBeUndefined()
})

test('content without a preview is rendered only once', async () => {
  const { made, context } = watched()
  const id = await aReady(Buffer.from('this is no picture'))
  expect(await preview(id, { context })).toBeUndefined()
  expect(await preview(id, { context })).toBeUndefined()
  expect(made.count).toBe(1)
})

test('a preview that failed temporarily is rendered by the next request', async () => {
  let isBusy = true
  const { context } = watched(() => {
    if (isBusy) throw new WorkersUnavailable('full')
  })
  const id = await aReady(await aPicture())
  expect(await preview(id, { context })).toBeUndefined()
  expect(logged.at(-1)).toMatchObject({ level: 'warn', message: 'a preview could not be rendered' })
  isBusy = false
  expect(await preview(id, { context })).toMatchObject({ mimeType: 'image/jpeg' })
})

test('an aborted request stops waiting, and the preview is ready for the next one', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { made, context } = watched(() => promise)
  const generationId = await aReady(await aPicture())
  const leaving = new AbortController()
  const asked = previewResult(context, own.spender, { generationId, signal: leaving.signal })
  leaving.abort()
  expect(await asked).toBeUndefined()
  resolve()
  expect(await preview(generationId, { context })).toBeDefined()
  expect(made.count).toBe(1)
})

test('results that are not ready, of other media, or with removed bytes have no preview', async () => {
  expect(await preview(await open())).toBeUndefined()
  expect(await preview(await aReady(await aPicture(), { familyId: 'sandbox-video' }))).toBeUndefined()
  const id = await aReady(await aPicture())
  await services.pool.query(`update generations set result = jsonb_set(result, '{storageKey}', '"results/gone"') where id = $1`, [id])
  expect(await preview(id)).toBeUndefined()
})

test('an original of more than 64 MiB is not read', async () => {
  const { made, context } = watched()
  const id = await aReady(await aPicture())
  await services.pool.query(`update generations set result = jsonb_set(result, '{sizeBytes}', '67108865') where id = $1`, [id])
  expect(await preview(id, { context })).toBeUndefined()
  expect(made.count).toBe(0)
})

test('previews of another owner are not found, like unknown ones', async () => {
  const id = await aReady(await aPicture())
  const stranger = await aTeamWithKey(services)
  for (const generationId of [id, 'gen_x'])
    expect(await refused(preview(generationId, { context: stranger.context, team: stranger }))).toMatchObject({
      code: 'generation_not_found',
    })
})

test('a preview needs a valid link: none while the team is blocked or closed, or after the key is revoked', async () => {
  const team = await aTeamWithKey(services)
  const operator = aServiceContext(services)
  const id = await aReady(await aPicture(), { team })
  const shown = () => preview(id, { context: team.context, team })
  expect(await shown()).toBeDefined()
  for (const [closed, opened] of [
    [{ blocked: true }, { blocked: false }],
    [{ externalAccess: false }, { externalAccess: true }],
  ]) {
    await updateTeam(operator, { id: team.team.id, ...closed })
    expect(await shown()).toBeUndefined()
    await updateTeam(operator, { id: team.team.id, ...opened })
    expect(await shown()).toBeDefined()
  }
  await revokeKey(operator, team.key.id)
  expect(await shown()).toBeUndefined()
})

test('a request waits at most some seconds for a preview', async () => {
  const { context } = watched(() => new Promise(() => undefined))
  const generationId = await aReady(await aPicture())
  expect(await previewResult(context, own.spender, { generationId, signal, waitMs: 30 })).toBeUndefined()
})
