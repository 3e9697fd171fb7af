import { afterAll, beforeEach, expect, test } from 'vitest'
import { makeSharedSlots } from '../../src/concurrency/sharedSlots.ts'
import { type WorkQueue, workQueues } from '../../src/contract/workQueues.ts'
import { makeRemovedJobs } from '../../src/database/queue/removedJobs.ts'
import { queueOfTask } from '../../src/domain/queue.ts'
import { unservedQueues } from '../../src/domain/unservedQueues.ts'
import { deliveryRunners } from '../../src/jobs/runners/deliveryRunners.ts'
import { fileRunners } from '../../src/jobs/runners/fileRunners.ts'
import { generationRunners } from '../../src/jobs/runners/generationRunners.ts'
import { openSubmits } from '../../src/jobs/steps/openSubmits.ts'
import { makeRegistry } from '../../src/providers/registry.ts'
import { testServices } from '../support/services.ts'

const { services, close } = await testServices()
const { pool } = services
afterAll(close)
beforeEach(() => pool.query('delete from processes; delete from graphile_worker._private_jobs'))

const jobs = {
  services,
  providers: makeRegistry([]),
  shutdown: new AbortController().signal,
  openSubmits: openSubmits('proc_test'),
  removedJobs: makeRemovedJobs(),
}
const slots = makeSharedSlots(8)
const deliverer = { jobsAtOnce: 1, deliver: async () => undefined, stop() {}, close() {} }

const runners = {
  generations: generationRunners(jobs, { slots, concurrency: 8 }),
  deliveries: deliveryRunners(deliverer),
  files: fileRunners(jobs, { slots }),
}

test.each(['generations', 'deliveries', 'files'] as const)('a worker of the queue %s runs all of its tasks, and no others', (queue) => {
  const tasks = Object.entries(queueOfTask).filter(([, of]) => of === queue)
  expect(runners[queue].flatMap((runner) => Object.keys(runner.tasks)).toSorted()).toEqual(tasks.map(([task]) => task).toSorted())
})

/** During a roll-out, processes of this release run the jobs that processes of the previous release queued. */
const tasksOfPreviousRelease = [
  ...['submitGeneration', 'pollGeneration', 'finaliseGeneration', 'cancelAtProvider', 'handSlotsOn', 'fillStartLine'],
  ...['inspectFile', 'removeObject', 'removeOrphans', 'deliverWebhooks', 'deliverToTroubled'],
]

test('every task of the previous release is still a task, so that its queued jobs run', () => {
  expect(Object.keys(queueOfTask)).toEqual(expect.arrayContaining(tasksOfPreviousRelease))
})

/** A process that has run for a while. */
async function aWorker(queues: WorkQueue[]): Promise<void> {
  await pool.query(
    `insert into processes (id, roles, queues, started_at, heartbeat_at) values ($1, '{worker}', $2, now() - interval '1 hour', now())`,
    [`proc_${String(queues)}`, queues],
  )
}

async function dueWork(task: keyof typeof queueOfTask, secondsAgo: number): Promise<void> {
  await pool.query(`select graphile_worker.add_job($1, '{}', run_at => now() - $2 * interval '1 second')`, [task, secondsAgo])
}

test('a queue with work that has been due for half a minute and that no live process takes is reported', async () => {
  await aWorker(['deliveries', 'files', 'maintenance'])
  await dueWork('submitGeneration', 60)
  await dueWork('deliverWebhooks', 60)
  expect(await unservedQueues(services)).toEqual(['generations'])
  await pool.query(`update processes set heartbeat_at = now() - interval '1 minute'`)
  expect(await unservedQueues(services)).toEqual(['generations', 'deliveries'])
})

test('neither work that has just become due nor an empty queue is reported', async () => {
  await aWorker(['maintenance'])
  await dueWork('submitGeneration', 2)
  expect(await unservedQueues(services)).toEqual([])
})

test('maintenance that no process takes is reported while any process is alive', async () => {
  expect(await unservedQueues(services)).toEqual([])
  await aWorker(['generations', 'deliveries', 'files'])
  expect(await unservedQueues(services)).toEqual(['maintenance'])
})

test('a worker of all queues leaves none unserved', async () => {
  await aWorker([...workQueues])
  for (const task of Object.keys(queueOfTask)) await dueWork(task as keyof typeof queueOfTask, 60)
  expect(await unservedQueues(services)).toEqual([])
})
