import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostileFiles } from '../support/media/hostileFiles.ts'
import { anInspector } from '../support/media/inspector.ts'
import { type MediaFolder, makeMediaFolder } from '../support/media/mediaFolder.ts'
import { sampleFile } from '../support/media/sampleFile.ts'

// A third of the limit of the service, because files that must be killed use the whole time.
const inspector = anInspector({ processes: 2, secondsMax: 1.5 })
let folder: MediaFolder
let good: string
beforeAll(async () => {
  folder = await makeMediaFolder()
  good = await folder.write(await sampleFile('png'))
  await Promise.all([inspector.inspect(good), inspector.inspect(good)])
})
afterAll(async () => {
  await inspector.close()
  await folder.remove()
})

test.each(Object.entries(hostileFiles))('%s is answered in time, and the next file at once', async (_name, make) => {
  const path = await folder.write(await make())
  const started = performance.now()
  const answering = inspector.inspect(path).then((inspected) => ({ inspected, answeredMs: performance.now() - started }))
  const [{ inspected, answeredMs }, besides] = await Promise.all([answering, inspector.inspect(good)])
  const next = await inspector.inspect(good)

  expect(answeredMs).toBeLessThan(5000)
  expect(inspected).toSatisfy(
    (found: typeof inspected) => found.ok || ['unsupported_file_format', 'file_processing_failed'].includes(found.refusal),
  )
  expect(besides).toMatchObject({ ok: true })
  expect(next).toMatchObject({ ok: true })
  await rm(path)
})
