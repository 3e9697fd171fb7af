import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeLogger } from '../../src/cli/boot/logger.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded/embeddedPostgres.ts'
import { migrateDatabase } from '../../src/database/migrations/migrate.ts'
import { billedStage } from '../../test/support/billing/billedStage.ts'
import { flakyStage } from '../../test/support/conformance/flakyStage.ts'
import { drills } from '../../test/support/drills/drills.ts'
import { playDrill } from '../../test/support/drills/playDrill.ts'
import { seededRandom } from '../../test/support/seededRandom.ts'
import { type FaultReport, faultRun } from '../../test/support/vendor/faultRun.ts'
import { reliableStage } from '../../test/support/vendor/faultStage.ts'
import { heldAt, killPoints } from '../../test/support/vendor/killPoints.ts'
import { playKillPoint } from '../../test/support/vendor/playKillPoint.ts'

/**
 * Kills workers at random while generations run: first with a vendor without faults, then with one that bills each submit and recognises no
 * repeats, then with every connector on connections that break. Exits with 1 if anything was lost, charged twice or submitted twice. Then
 * runs the drills, in which every start must succeed and be billed once. `--only steady,billed,storage-away` runs only these;
 * `--generations` sets the number during each.
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
const runs = {
  steady: { run: steady, generations: 1000, kills: 200 },
  billed: { run: billed, generations: 300, kills: 40 },
  cut: { run: cut, generations: 500, kills: 50 },
  points: { run: points, generations: killPoints.length, kills: killPoints.length },
}
const selected = values.only?.split(',')
const names = [...Object.keys(runs), ...drills.map(({ name }) => name)]
const unknown = selected?.filter((name) => !names.includes(name)) ?? []
if (unknown.length > 0) {
  process.stderr.write(`unknown runs: ${unknown.join(', ')}; known: ${names.join(', ')}\n`)
  process.exit(2)
}

type Run = { databaseUrl: string; folder: string; generations: number; kills: number; random(): number }

for (const [name, { run, ...usual }] of Object.entries(runs)) {
  if (selected?.includes(name) === false) continue
  const folder = await mkdtemp(join(tmpdir(), 'atelier-faults-'))
  const postgres = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), log })
  try {
    await migrateDatabase(postgres.url, { log })
    const generations = Number(values.generations ?? usual.generations)
    const kills = Number(values.kills ?? usual.kills)
    process.stdout.write(`${name}: ${generations} generations, ${kills} kills, seed ${seed}\n`)
    const well = await run({ databaseUrl: postgres.url, folder, generations, kills, random: seededRandom(seed) })
    conclude(well)
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

for (const drill of drills) {
  if (selected?.includes(drill.name) === false) continue
  const count = Number(values.generations ?? drill.count)
  process.stdout.write(`${drill.name}: ${drill.words}; ${count} generations\n`)
  const { report, well } = await playDrill(drill, count)
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  conclude(well)
}

function conclude(well: boolean): void {
  process.stdout.write(well ? 'every promise held\n' : 'a promise was broken\n')
  if (!well) process.exitCode = 1
}

async function steady({ generations, kills, random, ...places }: Run): Promise<boolean> {
  const stage = await reliableStage(places)
  try {
    const report = await faultRun(stage, { generations, kills, random })
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
    return report.states['ready'] === generations && isSound(report) && report.lateSeconds < 15
  } finally {
    await stage.close()
  }
}

/** Only a submit that a killed worker had in progress, or whose response had just arrived, may be paid for and lost. */
async function billed({ generations, kills, random, ...places }: Run): Promise<boolean> {
  const stage = await billedStage(places)
  try {
    const report = await faultRun(stage, { generations, kills, random })
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
    const { undelivered = 1, unanswerable = 0 } = report.bill ?? {}
    return hasEnded(report, generations) && isSound(report) && undelivered === unanswerable
  } finally {
    await stage.close()
  }
}

/** One generation and one kill at each point between two writes. */
async function points(places: Run): Promise<boolean> {
  let isWell = true
  for (const point of killPoints) {
    const report = await playKillPoint(point, places)
    isWell &&= heldAt(point, report)
    process.stdout.write(`${JSON.stringify({ ...report, asExpected: heldAt(point, report) })}\n`)
  }
  return isWell
}

async function cut({ generations, kills, random, ...places }: Run): Promise<boolean> {
  const stage = await flakyStage(places, random)
  try {
    const report = await faultRun(stage, { generations, kills, random })
    process.stdout.write(`${JSON.stringify({ ...report, connections: stage.connections, accepted: stage.accepted() }, null, 2)}\n`)
    return hasEnded(report, generations) && isSound(report)
  } finally {
    await stage.close()
  }
}

/** Whether every generation ended well, except submits whose outcome at the vendor is unknown. */
function hasEnded({ states, failures }: FaultReport, generations: number): boolean {
  const { ready = 0, failed = 0 } = states
  return ready + failed === generations && Object.keys(failures).every((name) => name === 'internal_error/submit_unknown')
}

function isSound({ faults, submittedTwice, webhooks }: FaultReport): boolean {
  return faults.length === 0 && submittedTwice === 0 && webhooks.missingEvents === 0
}
