import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeLogger } from '../src/cli/logger.ts'
import { startEmbeddedPostgres } from '../src/database/embeddedPostgres.ts'
import { migrateDatabase } from '../src/database/migrate.ts'
import { seededRandom } from '../test/support/seededRandom.ts'
import { faultRun } from '../test/support/vendor/faultRun.ts'

/** Kills workers at random while generations run, in full; exits with 1 when anything was lost, charged twice or handed over twice. */
const { values } = parseArgs({
  options: { generations: { type: 'string', default: '1000' }, kills: { type: 'string', default: '200' }, seed: { type: 'string' } },
})
const generations = Number(values.generations)
const kills = Number(values.kills)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
const log = makeLogger({ level: 'error' })
const folder = await mkdtemp(join(tmpdir(), 'atelier-faults-'))
const postgres = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), log })
try {
  await migrateDatabase(postgres.url, { log })
  process.stdout.write(`${generations} generations, ${kills} kills, seed ${seed}\n`)
  const report = await faultRun({ databaseUrl: postgres.url, folder, generations, kills, random: seededRandom(seed) })
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  const well =
    report.states['ready'] === generations &&
    report.faults.length === 0 &&
    report.submittedTwice === 0 &&
    report.webhooks.untold === 0 &&
    report.lateSeconds < 15
  process.stdout.write(well ? 'every promise held\n' : 'a promise was broken\n')
  process.exitCode = well ? 0 : 1
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
