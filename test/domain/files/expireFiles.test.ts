import { afterAll, expect, test } from 'vitest'
import { contextFor } from '../../../src/domain/context.ts'
import { expireFiles } from '../../../src/domain/files/expireFiles.ts'
import { retryRemovals } from '../../../src/domain/files/stuckRemovals.ts'
import { testApp } from '../../support/app.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { fileForm, traces } from '../../support/http/uploads.ts'
import { sampleFile } from '../../support/media/sampleFile.ts'

const app = await testApp()
afterAll(app.close)
const { services, clock } = app
const { value: key } = await aTeamWithKey(services)
const context = contextFor(services, { kind: 'system' })
const png = await sampleFile('png')
const days = 24 * 60 * 60 * 1000

async function upload(): Promise<string> {
  return (await app.ask('POST /files', { key, ...fileForm(png) })).body.fileId
}

const statusOf = async (id: string) => (await app.ask(`GET /files/${id}`, { key })).status

test('an unused file is available for 30 days, then it and its content are deleted', async () => {
  const id = await upload()
  await clock.advance(30 * days - 1)
  expect([await statusOf(id), await expireFiles(context)]).toEqual([200, 0])

  await clock.advance(2)
  expect(await statusOf(id)).toBe(404)
  const estimate = await app.ask('POST /generations/estimate', { key, body: { familyId: 'sandbox-image', imageIds: [id] } })
  expect(estimate.body.error.code).toBe('file_not_found')

  await clock.advance(2 * 60 * 60 * 1000)
  expect(await expireFiles(context)).toBe(1)
  expect(await traces(services)).toEqual({ rows: 0, temporary: [], objects: 0 })
})

test('a use extends the expiry to 30 days later, and a file that unfinished work uses never expires', async () => {
  const [used, unused] = [await upload(), await upload()]
  await clock.advance(29 * days)
  const started = await app.ask('POST /generations', { key, body: { familyId: 'sandbox-image', imageIds: [used] } })
  expect(started.status).toBe(201)
  await clock.advance(2 * days)

  expect(await expireFiles(context)).toBe(1)
  expect([await statusOf(used), await statusOf(unused)]).toEqual([200, 404])

  await clock.advance(60 * days)
  expect(await expireFiles(context)).toBe(0)
  expect(await services.storage.size(`files/${used}`)).toBe(png.length)

  await app.ask(`POST /generations/${started.body.generationId}/cancel`, { key })
  expect(await expireFiles(context)).toBe(1)
})

test('content that cannot be deleted is retried later', async () => {
  const id = await upload()
  await clock.advance(31 * days)
  const { storage } = services
  services.storage = { ...storage, remove: () => Promise.reject(new Error('the storage is away')) }
  await expect(expireFiles(contextFor(services, { kind: 'system' }))).rejects.toThrow('the storage is away')
  services.storage = storage

  expect(await retryRemovals(context)).toBe(0)
  expect(await storage.size(`files/${id}`)).toBe(png.length)
  await clock.advance(11 * 60_000)
  expect(await retryRemovals(context)).toBe(1)
  expect(await traces(services)).toEqual({ rows: 0, temporary: [], objects: 0 })
})

test('objects that cannot be deleted do not block other files, and are retried at growing intervals', async () => {
  const stuck = await Promise.all(Array.from({ length: 17 }, upload))
  await clock.advance(1000)
  const later = await upload()
  await clock.advance(31 * days)
  const { storage } = services
  const asked: string[] = []
  const remove = async (key: string) => {
    asked.push(key)
    if (stuck.includes(key.slice('files/'.length))) throw new Error('not this one')
    await storage.remove(key)
  }
  services.storage = { ...storage, remove }
  const broken = contextFor(services, { kind: 'system' })
  expect(await expireFiles(broken)).toBe(18)
  expect(await storage.size(`files/${later}`)).toBeUndefined()

  const triesAfter = async (minutes: number) => {
    asked.length = 0
    await clock.advance(minutes * 60_000)
    expect(await retryRemovals(broken)).toBe(0)
    return asked.length
  }
  expect([await triesAfter(9), await triesAfter(2), await triesAfter(9), await triesAfter(2), await triesAfter(11)]).toEqual([
    0, 17, 0, 17, 0,
  ])
  services.storage = storage
  await clock.advance(days)
  expect(await retryRemovals(context)).toBe(17)
  expect(await traces(services)).toEqual({ rows: 0, temporary: [], objects: 0 })
})
