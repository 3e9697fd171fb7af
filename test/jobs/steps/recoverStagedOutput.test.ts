import { afterAll, expect, test, vi } from 'vitest'
import { checkBooks } from '../../../src/domain/credits/checkBooks.ts'
import type { JobContext } from '../../../src/jobs/runners/jobContext.ts'
import { openSubmits } from '../../../src/jobs/steps/openSubmits.ts'
import { aJobContext } from '../../support/generations/jobContext.ts'
import { sampleFile } from '../../support/media/sampleFile.ts'
import { answeringProvider } from '../../support/vendor/answeringProvider.ts'
import { vendorRun, vendorServices } from '../../support/vendor/vendorRun.ts'

const own = await vendorServices()
const { services, clock } = own
afterAll(own.close)

type Options = { idempotentSubmit?: boolean; endsWith?: () => Promise<void> }

/** A generation whose vendor answers with the result. `endsWith` runs between the bytes and the end of the answer. */
async function answered({ idempotentSubmit = false, endsWith = async () => undefined }: Options = {}) {
  const png = await sampleFile('png')
  const run = await vendorRun(own)
  await run.lockJob()
  let submits = 0
  const provider = answeringProvider(
    async (_spec, { keep }) => {
      submits += 1
      const output = await keep(png, 'image/png')
      await endsWith()
      return { kind: 'done', outputs: [output], cost: { usd: 0.04 } }
    },
    { idempotentSubmit },
  )
  const inProcess = (processId: string) => aJobContext(services, { providers: [provider], openSubmits: openSubmits(processId) })
  const outcome = async () => {
    const { state, failure, creditsCharged } = await run.look()
    return { end: failure?.reason ?? state, creditsCharged, submits }
  }
  const vendorCost = async () =>
    (await services.pool.query('select cost_usd from generation_attempts where generation_id = $1', [run.generationId])).rows
  return { run, inProcess, outcome, vendorCost, staged: `made/${run.generationId}/1` }
}

type Answered = Awaited<ReturnType<typeof answered>>

/** Runs the submit in a process that ends after it has stored the bytes, and before it records them. */
async function endBeforeRecord({ run, inProcess, staged }: Answered, processId = 'proc_gone'): Promise<void> {
  const context = inProcess(processId)
  const isStored = Promise.withResolvers<void>()
  const put: typeof context.storage.put = async (key, ...content) => {
    await context.storage.put(key, ...content)
    if (key === staged) isStored.resolve()
    return new Promise(() => undefined)
  }
  void run.run('submitGeneration', { ...context, storage: { ...context.storage, put } })
  await isStored.promise
  await services.pool.query(`insert into buried_processes values ($1, '-infinity') on conflict do nothing`, [processId])
}

const once = { end: 'ready', creditsCharged: 150, submits: 1 }

test.each([{ idempotentSubmit: false }, { idempotentSubmit: true }])(
  'bytes that a process stored before it ended become the result, charged once, and the vendor is asked once (idempotentSubmit: $idempotentSubmit)',
  async (options) => {
    const made = await answered(options)
    await endBeforeRecord(made)
    await made.run.run('submitGeneration', made.inProcess('proc_next'))
    expect(await made.outcome()).toEqual(once)
    const { result } = await made.run.look()
    expect(result && 'storageKey' in result && (await services.storage.read(result.storageKey))).toEqual(await sampleFile('png'))
    await made.run.run('removeOrphans')
    expect(await services.storage.size(made.staged)).toBeUndefined()
  },
)

test('stored bytes are left to their process while it may still record them, with their cost', async () => {
  const end = Promise.withResolvers<void>()
  const made = await answered({ endsWith: () => end.promise })
  await services.pool.query(`insert into processes (id, roles) values ('proc_slow', '{worker}')`)
  const submitting = made.run.run('submitGeneration', made.inProcess('proc_slow'))
  await vi.waitFor(async () => expect(await services.storage.size(made.staged)).toBeDefined(), { interval: 5 })
  await made.run.run('submitGeneration', made.inProcess('proc_next'))
  expect([await made.outcome(), await made.run.waiting()]).toMatchObject([{ end: 'queued' }, [{ task: 'submitGeneration', seconds: 5 }]])
  end.resolve()
  await submitting
  await made.run.run('finaliseGeneration', made.inProcess('proc_next'))
  expect([await made.outcome(), await made.vendorCost()]).toEqual([once, [{ cost_usd: '0.04' }]])
})

test('a result is delivered if the answer breaks off after it', async () => {
  const made = await answered({ endsWith: () => Promise.reject(new Error('socket hang up')) })
  await made.run.run('submitGeneration', made.inProcess('proc_one'))
  expect(await made.outcome()).toEqual(once)
})

test('a job waits for a storage that is unavailable, until the deadline', async () => {
  const onLostStorage = (context: JobContext): JobContext => ({
    ...context,
    storage: { ...context.storage, size: () => Promise.reject(new Error('connect ECONNREFUSED')) },
  })
  const [kept, lost] = [await answered(), await answered()]
  for (const made of [kept, lost]) {
    await endBeforeRecord(made)
    for (let jobs = 0; jobs < 8; jobs++) await made.run.run('submitGeneration', onLostStorage(made.inProcess('proc_next')))
    expect([await made.outcome(), await made.run.waiting()]).toMatchObject([{ end: 'queued' }, [{ task: 'submitGeneration', seconds: 5 }]])
  }
  await clock.advance(121_000)
  for (const task of ['submitGeneration', 'finaliseGeneration'] as const) await kept.run.run(task, kept.inProcess('proc_next'))
  await lost.run.run('submitGeneration', onLostStorage(lost.inProcess('proc_next')))
  expect([await kept.outcome(), await lost.outcome()]).toEqual([once, { end: 'submit_unknown', creditsCharged: 0, submits: 1 }])
})

test('the books are balanced after all tests', async () => {
  expect(await checkBooks(aJobContext(services))).toEqual({ clean: true, faults: [] })
})

test('bytes in an answer that refuses the work for now are removed before the refusal is recorded', async () => {
  const png = await sampleFile('png')
  const run = await vendorRun(own)
  const provider = answeringProvider(async (_spec, { keep }) => {
    await keep(png, 'image/png')
    return { kind: 'busy' }
  })
  const context = aJobContext(services, { providers: [provider], openSubmits: openSubmits('proc_asks') })
  await run.run('submitGeneration', context)
  expect(await context.storage.size(`made/${run.generationId}/1`)).toBeUndefined()
  expect(await run.look()).toMatchObject({ state: 'queued', finishedAt: null })
})

test('a job that lost its claim does not remove the bytes that the job after it stored under the same key', async () => {
  const png = await sampleFile('png')
  const run = await vendorRun(own)
  const provider = answeringProvider(
    async (_spec, { keep }) => {
      await keep(png, 'image/png')
      await services.pool.query('update generations set fence = fence + 1 where id = $1', [run.generationId])
      return { kind: 'busy' }
    },
    { idempotentSubmit: true },
  )
  const context = aJobContext(services, { providers: [provider], openSubmits: openSubmits('proc_late') })
  await run.run('submitGeneration', context)
  expect(await context.storage.size(`made/${run.generationId}/1`)).toBe(png.length)
})
