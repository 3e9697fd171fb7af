import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, onTestFinished, test } from 'vitest'
import { storageKinds } from './storages.ts'

const MiB = 1024 * 1024
/** Number of samples; each one collects all garbage first. */
const lookBytes = 5 * MiB

describe.each(storageKinds())('%s', (name, open) => {
  // An upload keeps a few parts of 5 MiB in memory, so the content must be much larger.
  const [contentMiB, memoryMiB] = name === 'disk' ? [25, 2] : [60, 30]
  test(`${contentMiB} MiB are written and read with little of it in memory`, async () => {
    const { storage, dispose } = await open()
    onTestFinished(dispose)
    const chunk = randomBytes(64 * 1024)
    const before = liveBytes()
    let most = before
    const source = Readable.from(
      (function* () {
        for (let sent = 0; sent < contentMiB * MiB; sent += chunk.length) {
          if (sent % lookBytes === 0) most = Math.max(most, liveBytes())
          yield chunk
        }
      })(),
    )
    await storage.put('a', source)
    let received = 0
    for await (const part of await storage.open('a')) {
      received += part.length
      if (received % lookBytes < part.length) most = Math.max(most, liveBytes())
    }

    expect(received).toBe(contentMiB * MiB)
    expect(most - before).toBeLessThan(memoryMiB * MiB)
  })
})

const collectGarbage = makeCollector()

function liveBytes(): number {
  // Garbage of one collection is subtracted from the count by the next one at the latest.
  collectGarbage()
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

function makeCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}
