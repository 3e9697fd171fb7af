import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeInspector } from '../../../src/domain/files/inspectFile.ts'
import { type MediaFolder, makeMediaFolder } from '../../support/mediaFolder.ts'
import { hostileFiles } from '../../support/mediaHostile.ts'
import { sampleFile } from '../../support/mediaSamples.ts'

// Half of what the service allows: the files that need to be ended by force would take the whole of it each.
const secondsMax = 2.5
const inspector = makeInspector({ processes: 2, secondsMax })
let folder: MediaFolder
let good: string
beforeAll(async () => {
  folder = await makeMediaFolder()
  good = await folder.write(await sampleFile('png'))
  await inspector.inspect(good)
})
afterAll(async () => {
  await inspector.close()
  await folder.remove()
})

test.each(Object.entries(hostileFiles))('%s is answered in time, and the next file at once', async (_name, make) => {
  const path = await folder.write(await make())
  const started = performance.now()
  const [inspected, besides] = await Promise.all([inspector.inspect(path), inspector.inspect(good)])
  const answeredMs = performance.now() - started
  const next = await inspector.inspect(good)

  expect(answeredMs).toBeLessThan(5000)
  expect(inspected).toSatisfy(
    (found: typeof inspected) => found.ok || ['unsupported_file_format', 'file_processing_failed'].includes(found.refusal),
  )
  expect(besides).toMatchObject({ ok: true })
  expect(next).toMatchObject({ ok: true })
  await rm(path)
})
