import { rename, rm, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Work } from '../billing/work.ts'
import type { DrillOptions, DrillStage } from './drillStage.ts'
import { type DrillReport, finishDrill, startAll } from './drillWork.ts'
import { type Fairness, measureFairness } from './fairness.ts'

/** `count` is the default number of starts; all must become ready, and each be billed once. */
export type Drill = {
  name: string
  words: string
  count: number
  options: DrillOptions
  play(stage: DrillStage, count: number): Promise<DrillReport | Fairness>
}

const withinSeconds = 420

/** Starts `count` concurrently and runs `disturb` meanwhile. */
function played(kind: Work['kind'], disturb: (stage: DrillStage) => Promise<unknown> = async () => undefined): Drill['play'] {
  return async (stage, count) => {
    const team = await stage.makeTeam('drill')
    const begunAt = performance.now()
    const starting = startAll(stage, { team, kind, count, name: 'drill' })
    await Promise.all([starting, disturb(stage)])
    return finishDrill(stage, { team, begunAt, withinSeconds })
  }
}

async function restartPostgres({ cluster }: DrillStage): Promise<void> {
  for (let restart = 0; restart < 10; restart++) {
    await pause(8_000)
    await cluster.stop()
    await cluster.start()
  }
}

/** The grace period of a worker for its open submits. */
const graceSeconds = 120

/** Replaces each worker; the new one starts before the old one ends. */
async function restartWorkers(stage: DrillStage): Promise<void> {
  const ending: Promise<void>[] = []
  for (let restart = 0; restart < 10; restart++) {
    await pause(5_000)
    const old = stage.workers.splice(0)
    stage.workers.push(...(await Promise.all(old.map(() => stage.addWorker()))))
    ending.push(...old.map((worker) => worker.stop(graceSeconds)))
  }
  await Promise.all(ending)
}

/** Repeated, so that answers at every moment are affected. */
function lockTable(table: string): (stage: DrillStage) => Promise<void> {
  return async ({ ask }) => {
    for (let lock = 0; lock < 3; lock++) {
      await pause(3_500)
      await ask(`do $$ begin lock table ${table} in access exclusive mode; perform pg_sleep(5); end $$`)
    }
  }
}

/** A file instead of the folder: nothing can be written or read below it. */
async function breakStorage({ storageFolder }: DrillStage): Promise<void> {
  await pause(3_000)
  await rename(storageFolder, `${storageFolder}-away`)
  await writeFile(storageFolder, '')
  await pause(12_000)
  await rm(storageFolder)
  await rename(`${storageFolder}-away`, storageFolder)
}

const short = { workSeconds: 4, deadlineSeconds: 20 }
const long = { workSeconds: 20, deadlineSeconds: 120 }

export const drills: readonly Drill[] = [
  {
    name: 'starts-synchronous',
    words: 'many starts at once, one worker, a synchronous vendor of 4 s and a deadline of 20 s',
    count: 500,
    options: { workers: 1, ...short },
    play: played('synchronous'),
  },
  {
    name: 'starts-queued',
    words: 'many starts at once, one worker, a vendor with a queue and 4 s of work, and a deadline of 20 s',
    count: 500,
    options: { workers: 1, ...short },
    play: played('queued'),
  },
  {
    name: 'postgres-restarts',
    words: 'ten restarts of PostgreSQL during submits of 20 s',
    count: 200,
    options: { workers: 4, ...long },
    play: played('synchronous', restartPostgres),
  },
  {
    name: 'worker-restarts',
    words: 'ten rolling restarts of the workers during submits of 20 s',
    count: 200,
    options: { workers: 2, ...long },
    play: played('synchronous', restartWorkers),
  },
  {
    name: 'queue-locked',
    words: 'the table of the queue locked for 5 s, three times, while answers come in',
    count: 60,
    options: { workers: 2, workSeconds: 4, deadlineSeconds: 60 },
    play: played('synchronous', lockTable('graphile_worker._private_jobs')),
  },
  {
    name: 'generations-locked',
    words: 'the table of generations locked for 5 s, three times, while answers come in',
    count: 60,
    options: { workers: 2, workSeconds: 4, deadlineSeconds: 60 },
    play: played('synchronous', lockTable('generations')),
  },
  {
    name: 'storage-away',
    words: 'storage away for 12 s while bytes come with answers',
    count: 60,
    options: { workers: 2, workSeconds: 4, deadlineSeconds: 60 },
    play: played('synchronous', breakStorage),
  },
  {
    name: 'fair-queue',
    words: 'one team with many waiting in the queue, and another beside it',
    count: 5_000,
    options: { workers: 1, workSeconds: 2, deadlineSeconds: 120 },
    play: measureFairness,
  },
  {
    name: 'fair-limit',
    words: 'the same before a limit of five at the vendor at once',
    count: 5_000,
    options: { workers: 1, workSeconds: 2, deadlineSeconds: 120, atOnce: 5 },
    play: measureFairness,
  },
]
