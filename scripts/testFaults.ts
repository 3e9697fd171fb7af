import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeLogger } from '../src/cli/logger.ts'
import { startEmbeddedPostgres } from '../src/database/embeddedPostgres.ts'
import { migrateDatabase } from '../src/database/migrate.ts'
import { cutStage } from '../test/support/conformance/cutStage.ts'
import { seededRandom } from '../test/support/seededRandom.ts'
import { type FaultReport, faultRun } from '../test/support/vendor/faultRun.ts'
import { steadyStage } from '../test/support/vendor/faultStage.ts'

/**
 * Kills workers at random while generations run, in full: first with a vendor that is never in trouble, then with every connector on
 * connections that break. Exits with 1 when anything was lost, charged twice or handed over twice. `--only steady` or `--only cut` plays one.
 */
const { values } = parseArgs({
  options: {
    generations: { type: 'string' },
    kills: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
  },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
const log = makeLogger({ level: 'error' })
const runs = { steady: { run: steady, generations: 1000, kills: 200 }, cut: { run: cut, generations: 500, kills: 50 } }

type Run = { databaseUrl: string; folder: string; generations: number; kills: number; random(): number }

for (const [name, { run, ...usual }] of Object.entries(runs)) {
  if (values.only !== undefined && values.only !== name) continue
  const folder = await mkdtemp(join(tmpdir(), 'atelier-faults-'))
  const postgres = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), log })
  try {
    await migrateDatabase(postgres.url, { log })
    const generations = Number(values.generations ?? usual.generations)
    const kills = Number(values.kills ?? usual.kills)
    process.stdout.write(`${name}: ${generations} generations, ${kills} kills, seed ${seed}\n`)
    const well = await run({ databaseUrl: postgres.url, folder, generations, kills, random: seededRandom(seed) })
    process.stdout.write(well ? 'every promise held\n' : 'a promise was broken\n')
    if (!well) process.exitCode = 1
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function steady({ generations, kills, random, ...places }: Run): Promise<boolean> {
  const stage = await steadyStage(places)
  try {
    const report = await faultRun(stage, { generations, kills, random })
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
    return report.states['ready'] === generations && isSound(report) && report.lateSeconds < 15
  } finally {
    await stage.close()
  }
}

async function cut({ generations, kills, random, ...places }: Run): Promise<boolean> {
  const stage = await cutStage(places, random)
  try {
    const report = await faultRun(stage, { generations, kills, random })
    process.stdout.write(`${JSON.stringify({ ...report, connections: stage.connections, accepted: stage.accepted() }, null, 2)}\n`)
    const { ready = 0, failed = 0 } = report.states
    const causes = Object.keys(report.failures).filter((name) => name !== 'internal_error/submit_unknown')
    return ready + failed === generations && causes.length === 0 && isSound(report)
  } finally {
    await stage.close()
  }
}

function isSound({ faults, submittedTwice, webhooks }: FaultReport): boolean {
  return faults.length === 0 && submittedTwice === 0 && webhooks.untold === 0
}
