import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { batchWriter } from '../../../src/domain/files/batchWriter.ts'
import { memoryFolder } from '../../support/processes/memoryFolder.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(memoryFolder(), 'atelier-batches-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('for any chunks, the file and the callback get the same bytes in order', async () => {
  const sizes = fc.array(fc.oneof(fc.nat(100), fc.nat(700_000), fc.constant(256 * 1024)), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(sizes, async (lengths) => {
      const chunks = lengths.map((length, index) => Buffer.alloc(length, index + 1))
      const seen: Buffer[] = []
      const path = join(folder, 'file')
      const file = await open(path, 'w')
      const writer = batchWriter(file, (bytes) => seen.push(Buffer.from(bytes)))

      for (const chunk of chunks) {
        await writer.write(chunk)
        // The caller may reuse a chunk.
        chunk.fill(0xff)
      }
      await writer.end()
      await file.close()

      const expected = Buffer.concat(lengths.map((length, index) => Buffer.alloc(length, index + 1)))
      expect((await readFile(path)).equals(expected)).toBe(true)
      expect(Buffer.concat(seen).equals(expected)).toBe(true)
    }),
    { numRuns: 40 },
  )
})

test('a failed write rejects the next write and the end', async () => {
  const file = await open(join(folder, 'read-only'), 'w')
  await file.close()
  const closed = await open(join(folder, 'read-only'), 'r')
  const writer = batchWriter(closed, () => undefined)
  const batch = Buffer.alloc(256 * 1024)

  await writer.write(batch)
  await expect(writer.write(batch)).rejects.toMatchObject({ code: 'EBADF' })
  await expect(writer.end()).rejects.toMatchObject({ code: 'EBADF' })
  await writer.settle()
  await closed.close()
})
