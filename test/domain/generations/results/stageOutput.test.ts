import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { StorageFailed, stageOutput } from '../../../../src/domain/generations/results/stageOutput.ts'
import { consumeSource } from '../../../../src/storage/consumeSource.ts'
import type { Storage } from '../../../../src/storage/storage.ts'
import { aJobContext } from '../../../support/generations/jobContext.ts'
import { testServices } from '../../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)

const never = new AbortController().signal
const pausing = <Result>(wait: () => Promise<Result>) => wait()

/** The storage of the tests. Its first `failures` puts fail. */
function failing(failures: number): { storage: Storage; puts(): number } {
  let puts = 0
  const put: Storage['put'] = (key, source, options) => {
    puts += 1
    if (puts > failures) return services.storage.put(key, source, options)
    return consumeSource(source, undefined, () => Promise.reject(new Error('the storage is away')))
  }
  return { storage: { ...services.storage, put }, puts: () => puts }
}

async function* bytes() {
  yield Buffer.from('made')
}

test("received bytes are stored when the storage is available again, after any number of failures and past the vendor's time limit", async () => {
  const context = aJobContext(services)
  const { storage, puts } = failing(9)
  const overdue = new AbortController()
  const made = { content: bytes(), mimeType: 'image/png', signal: overdue.signal, storing: never, firstPauseMs: 1, pausing }
  await stageOutput({ ...context, storage }, { id: 'gen_kept', attempt: 1 }, { ...made, onReceived: () => overdue.abort() })
  expect([puts(), await services.storage.size('made/gen_kept/1')]).toEqual([10, 4])
})

test.each([
  [1024 ** 2, 'memory'],
  [1024 ** 2 + 1, 'a file'],
])('%i bytes are kept in %s until the generation ends', async (sizeBytes) => {
  const context = aJobContext(services)
  const whole = randomBytes(sizeBytes)
  async function* content() {
    for (let at = 0; at < sizeBytes; at += 100_000) yield whole.subarray(at, at + 100_000)
  }
  const made = { content: content(), mimeType: 'image/png', signal: never, storing: never, pausing, onReceived: () => undefined }
  const { local, stored } = await stageOutput(context, { id: 'gen_size', attempt: 1 }, made)
  const files = await readdir(context.settings.temporaryFolder)
  expect(files).toHaveLength(sizeBytes > 1024 ** 2 ? 1 : 0)
  const kept = typeof local === 'string' ? await readFile(local) : local
  expect([kept.equals(whole), whole.equals(await services.storage.read('made/gen_size/1')), stored.sizeBytes]).toEqual([
    true,
    true,
    sizeBytes,
  ])
  if (typeof local === 'string') await rm(local)
})

test('bytes that arrive in very small chunks are kept in a file, because each chunk takes memory of its own', async () => {
  const context = aJobContext(services)
  const whole = randomBytes(3000)
  async function* content() {
    for (let at = 0; at < whole.length; at += 1) yield whole.subarray(at, at + 1)
  }
  const made = { content: content(), mimeType: 'image/png', signal: never, storing: never, pausing, onReceived: () => undefined }
  const { local } = await stageOutput(context, { id: 'gen_drip', attempt: 1 }, made)
  if (typeof local !== 'string') throw new Error('the bytes are in memory')
  expect(whole.equals(await readFile(local))).toBe(true)
  await rm(local)
})

test('bytes that arrive while the disk is full are stored when it has room', async () => {
  const context = aJobContext(services)
  const temporaryFolder = join(context.settings.temporaryFolder, 'away')
  const read: number[] = []
  async function* content() {
    for (const sizeBytes of [1024 ** 2 + 1, 6]) {
      read.push(sizeBytes)
      yield Buffer.alloc(sizeBytes, 'x')
    }
  }
  const unavailable = { ...context, settings: { ...context.settings, temporaryFolder } }
  const made = {
    content: content(),
    mimeType: 'image/png',
    signal: never,
    storing: never,
    firstPauseMs: 1,
    pausing,
    onReceived: () => undefined,
  }
  const warned: string[] = []
  const log = { ...context.log, warn: (_: object, message: string) => void warned.push(message) }
  const staging = stageOutput({ ...unavailable, log }, { id: 'gen_full', attempt: 1 }, made)
  await vi.waitFor(() => expect(warned.length).toBeGreaterThan(2))
  expect(read).toEqual([1024 ** 2 + 1])
  await mkdir(temporaryFolder)
  await staging
  expect(await services.storage.size('made/gen_full/1')).toBe(1024 ** 2 + 7)
})

test('bytes of aborted work are not stored', async () => {
  const context = aJobContext(services)
  const { storage } = failing(Number.POSITIVE_INFINITY)
  const ended = new AbortController()
  const made = { content: bytes(), mimeType: 'image/png', signal: never, storing: ended.signal, firstPauseMs: 1, pausing }
  const staging = stageOutput({ ...context, storage }, { id: 'gen_left', attempt: 1 }, { ...made, onReceived: () => ended.abort() })
  await expect(staging).rejects.toThrow(StorageFailed)
})
