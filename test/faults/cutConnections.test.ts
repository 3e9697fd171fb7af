import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { flakyStage } from '../support/conformance/flakyStage.ts'
import { testDatabase } from '../support/database/database.ts'
import { seededRandom } from '../support/seededRandom.ts'
import { faultRun } from '../support/vendor/faultRun.ts'

const database = await testDatabase()
const folder = await mkdtemp(join(tmpdir(), 'atelier-cuts-'))
const seed = Math.floor(Math.random() * 2 ** 32)
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

test('with cut vendor connections and killed workers, no work is submitted twice and the books balance', {
  timeout: 180_000,
}, async () => {
  const random = seededRandom(seed)
  const stage = await flakyStage({ databaseUrl: database.url, folder }, random)
  onTestFinished(() => stage.close())
  const report = await faultRun(stage, { generations: 40, kills: 3, random })
  const { ready = 0, failed = 0, ...others } = report.states
  const causes = Object.keys(report.failures).filter((name) => name !== 'internal_error/submit_unknown')
  expect({ ...report, ended: ready + failed, others, causes, connections: stage.connections }, `seed ${seed}`).toMatchObject({
    ended: 40,
    others: {},
    causes: [],
    faults: [],
    submittedTwice: 0,
    webhooks: { missingEvents: 0 },
  })
  expect(stage.connections.cut).toBeGreaterThan(0)
})
