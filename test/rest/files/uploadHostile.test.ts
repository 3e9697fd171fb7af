import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../support/app.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { fileForm, traces } from '../../support/http/uploads.ts'
import { hostileFiles } from '../../support/media/hostileFiles.ts'
import { anInspector } from '../../support/media/inspector.ts'
import { sampleFile } from '../../support/media/sampleFile.ts'

const app = await testApp()
const ofOurs = app.services.inspector
// The files that need to be ended by force take all of the time that they get.
app.services.inspector = anInspector({ secondsMax: 2 })
afterAll(async () => {
  await app.services.inspector.close()
  app.services.inspector = ofOurs
  await app.close()
})
const { value: key } = await aTeamWithKey(app.services)
const good = fileForm(await sampleFile('png'))
await app.ask('POST /files', { key, ...good })

test.each([
  'an MP4 whose chunks hold as many samples',
  'an MP4 whose durations and offsets count as many',
  'a GIF of a million frames',
  'a glTF of lists within lists',
  'an OBJ of lines that go on for ever',
])('%s is refused, leaves no file, and does not delay the next upload', async (name) => {
  const content = (await hostileFiles[name]?.()) ?? Buffer.alloc(0)
  const before = await traces(app.services)

  const refused = await app.ask('POST /files', { key, ...fileForm(content) })
  const left = await traces(app.services)
  const timed = async () => {
    const begunAt = performance.now()
    const { status } = await app.ask('POST /files', { key, ...good })
    return { status, tookMs: performance.now() - begunAt }
  }
  const next = await timed()
  // The slowest of three, because other work on the machine delays single uploads.
  const alone = [await timed(), await timed(), await timed()]

  expect([refused.status, refused.body.error.code]).toEqual([422, 'file_processing_failed'])
  expect(left).toEqual(before)
  expect(next.status).toBe(201)
  expect(next.tookMs - Math.max(...alone.map(({ tookMs }) => tookMs))).toBeLessThan(5000)
})
