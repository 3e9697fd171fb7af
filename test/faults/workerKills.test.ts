import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../support/database/database.ts'
import { seededRandom } from '../support/seededRandom.ts'
import { faultRun } from '../support/vendor/faultRun.ts'
import { reliableStage } from '../support/vendor/faultStage.ts'

const database = await testDatabase()
const folder = await mkdtemp(join(tmpdir(), 'atelier-faults-'))
const seed = Math.floor(Math.random() * 2 ** 32)
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

test('with workers killed at 6 random moments, 60 generations are not lost, charged twice or submitted twice, and every ending sends its event', {
  timeout: 300_000,
}, async () => {
  const stage = await reliableStage({ databaseUrl: database.url, folder })
  onTestFinished(() => stage.close())
  const report = await faultRun(stage, { generations: 60, kills: 6, random: seededRandom(seed) })
  expect(report, `seed ${seed}`).toMatchObject({ states: { ready: 60 }, faults: [], submittedTwice: 0, webhooks: { missingEvents: 0 } })
  expect(report.webhooks.repeats).toBeLessThanOrEqual(report.webhooks.cut)
  expect(report.lateSeconds).toBeLessThan(20)
})
