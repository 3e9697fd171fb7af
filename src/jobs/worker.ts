import { Logger, parseCronItems, type TaskList } from 'graphile-worker'
import type { Pool } from 'pg'
import type { Log } from '../domain/context.ts'
import type { Tasks } from '../domain/queue.ts'
import { cancelAtProvider } from './cancelAtProvider.ts'
import { deliverWebhooks } from './deliverWebhooks.ts'
import { finaliseGeneration } from './finaliseGeneration.ts'
import { inspectFile } from './inspectFile.ts'
import type { JobServices } from './jobContext.ts'
import { pollGeneration } from './pollGeneration.ts'
import { prune } from './prune.ts'
import { reconcile } from './reconcile.ts'
import { runQueue } from './runQueue.ts'
import { submitGeneration } from './submitGeneration.ts'

export type Worker = { stop(): Promise<void> }

type Handlers = { [Name in keyof Tasks]: (jobs: JobServices, payload: Tasks[Name]) => Promise<void> }

const handlers = { submitGeneration, pollGeneration, finaliseGeneration, cancelAtProvider, inspectFile } satisfies Partial<Handlers>

const routines = { reconcile, prune }
const crontab = [
  { task: 'reconcile', match: '* * * * *' },
  { task: 'prune', match: '*/10 * * * *' },
]

/** A notice wakes workers at once; this is for one that was not heard. */
const pollMs = 1000

/**
 * Runs the jobs of this process and delivers webhooks until stopped; stopping lets running jobs come to a point where another can go on.
 * `onPool` hears the name under which this process locks jobs and leases deliveries.
 */
export async function startWorker(
  jobs: JobServices,
  options: { pool: Pool; concurrency: number; onPool(poolId: string): void },
): Promise<Worker> {
  let poolId = ''
  const onPool = (id: string) => {
    poolId = id
    options.onPool(id)
  }
  const taskList: TaskList = {}
  for (const [name, handle] of Object.entries(handlers)) {
    taskList[name] = (payload) =>
      discreetly(jobs, name, () => (handle as (jobs: JobServices, payload: unknown) => Promise<void>)(jobs, payload))
  }
  for (const [name, routine] of Object.entries(routines)) taskList[name] = () => discreetly(jobs, name, () => routine(jobs))
  const queue = {
    pgPool: options.pool,
    taskList,
    noHandleSignals: true,
    parsedCronItems: parseCronItems(crontab.map((item) => ({ ...item, options: { backfillPeriod: 0 } }))),
    logger: quietLogger(jobs.services.log),
    preset: {
      worker: {
        concurrentJobs: options.concurrency,
        pollInterval: pollMs,
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
        gracefulShutdownAbortTimeout: 8000,
      },
    },
  }
  const runner = await runQueue(queue, { onPool, log: jobs.services.log })
  const deliverer = deliverWebhooks(jobs.services, poolId)
  return {
    async stop() {
      await Promise.all([runner.stop(), deliverer.stop()])
    },
  }
}

/** The queue logs and keeps the words of what a job throws, and they may hold what users wrote: ours take their place. */
async function discreetly({ services }: JobServices, job: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    services.log.error({ job, error }, 'a job failed')
    throw new Error(`${job} failed`, { cause: error })
  }
}

/** The queue's own words go to our log, without payloads; what it says of every job stays out. */
function quietLogger(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error({}, message)
    else if (level === 'warning') log.warn({}, message)
    else log.debug({}, message)
  })
}
