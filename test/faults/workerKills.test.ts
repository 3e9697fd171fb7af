import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { faultRun } from '../support/vendor/faultRun.ts'

const database = await testDatabase()
const folder = await mkdtemp(join(tmpdir(), 'atelier-faults-'))
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

test('workers killed at 20 random moments during 100 generations lose none, charge none twice and hand none over twice', { timeout: 120_000 }, async () => {
  const report = await faultRun({ databaseUrl: database.url, folder, generations: 100, kills: 20, random: Math.random })
  expect(report).toMatchObject({ states: { ready: 100 }, faults: [], submittedTwice: 0 })
  expect(report.lateSeconds).toBeLessThan(20)
})
