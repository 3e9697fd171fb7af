import { mkdir } from 'node:fs/promises'
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

test('bytes that arrive while the disk is full are stored when it has room', async () => {
  const context = aJobContext(services)
  const temporaryFolder = join(context.settings.temporaryFolder, 'away')
  const read: string[] = []
  async function* content() {
    for (const text of ['made', ' whole']) {
      read.push(text)
      yield Buffer.from(text)
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
  expect(read).toEqual([])
  await mkdir(temporaryFolder)
  await staging
  expect(await services.storage.size('made/gen_full/1')).toBe(10)
})

test('bytes of aborted work are not stored', async () => {
  const context = aJobContext(services)
  const { storage } = failing(Number.POSITIVE_INFINITY)
  const ended = new AbortController()
  const made = { content: bytes(), mimeType: 'image/png', signal: never, storing: ended.signal, firstPauseMs: 1, pausing }
  const staging = stageOutput({ ...context, storage }, { id: 'gen_left', attempt: 1 }, { ...made, onReceived: () => ended.abort() })
  await expect(staging).rejects.toThrow(StorageFailed)
})
