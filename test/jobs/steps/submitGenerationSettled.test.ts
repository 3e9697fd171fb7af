import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { Refusal } from '../../../src/contract/refusals/refusals.ts'
import { checkBooks } from '../../../src/domain/credits/checkBooks.ts'
import { claimGeneration } from '../../../src/domain/generations/steps/claimGeneration.ts'
import { openSubmits } from '../../../src/jobs/steps/openSubmits.ts'
import { aJobContext } from '../../support/generations/jobContext.ts'
import { answeringProvider } from '../../support/vendor/answeringProvider.ts'
import { vendorRun, vendorServices } from '../../support/vendor/vendorRun.ts'

const own = await vendorServices({ lockMilliseconds: 200 })
const { services, clock, logged } = own
afterAll(own.close)

const withoutRepeats = { idempotentSubmit: false } as const
const unknown = { state: 'failed', failure: { code: 'internal_error', reason: 'submit_unknown' } }
type Run = Awaited<ReturnType<typeof vendorRun>>

/** Locks the table of generations until `end`. `refused` resolves after a write was refused. */
async function aStall(): Promise<{ refused(): Promise<void>; end(): Promise<void> }> {
  const from = logged.length
  const client = await services.pool.connect()
  await client.query('begin')
  await client.query('lock table generations')
  const isRefused = () => logged.slice(from).some(({ message }) => message.includes('could not be written yet'))
  return {
    refused: () => vi.waitFor(() => expect(isRefused()).toBe(true), { timeout: 15_000, interval: 20 }),
    async end() {
      await client.query('rollback')
      client.release()
    },
  }
}

/** An open submit. `answer` makes the vendor answer. */
async function asking(options: Parameters<typeof vendorRun>[1] = {}) {
  const gate = Promise.withResolvers<void>()
  const run = await vendorRun(own, { provider: withoutRepeats, ...options, behaviour: { submitGate: gate.promise, ...options.behaviour } })
  const submitting = run.run('submitGeneration')
  await vi.waitFor(() => expect(run.vendor.submits).toBe(1), { interval: 2 })
  return {
    run,
    async answer() {
      gate.resolve()
      await submitting
    },
  }
}

/** The jobs of another process. */
function elsewhere(run: Run, processId = 'proc_other') {
  return { ...run.context, openSubmits: openSubmits(processId) }
}

async function aliveAs(processId: string): Promise<void> {
  await services.pool.query(`insert into processes (id, roles) values ($1, '{worker}') on conflict do nothing`, [processId])
  onTestFinished(async () => void (await services.pool.query('delete from processes where id = $1', [processId])))
}

test.each([
  { made: 'a handle', provider: withoutRepeats, expected: { state: 'running' } },
  { made: 'a handle of a vendor that recognises repeats', provider: { idempotentSubmit: true }, expected: { state: 'running' } },
])('$made that arrives while the database is locked is recorded afterwards', { timeout: 40_000 }, async ({ provider, expected }) => {
  const { run, answer } = await asking({ provider })
  const stall = await aStall()
  const answered = answer()
  await stall.refused()
  await stall.end()
  await answered
  expect([await run.look(), run.vendor.submits]).toMatchObject([expected, 1])
  expect((await run.waiting()).map(({ task }) => task)).toEqual(['pollGeneration'])
})

test('bytes and outputs that arrive while the database is locked are recorded afterwards, once', { timeout: 40_000 }, async () => {
  const answers = Promise.withResolvers<void>()
  let asked = 0
  const provider = answeringProvider(async (_spec, { keep }) => {
    asked += 1
    const output = await keep(Buffer.from('bytes'), 'image/png')
    await answers.promise
    return { kind: 'done', outputs: [output] }
  })
  const run = await vendorRun(own)
  const context = aJobContext(services, { providers: [provider] })
  const submitting = run.run('submitGeneration', context)
  await vi.waitFor(() => expect(asked).toBe(1))
  const stall = await aStall()
  answers.resolve()
  await stall.refused()
  await stall.end()
  await submitting
  expect([await run.look(), asked]).toMatchObject([{ state: 'finalizing' }, 1])
  expect(await services.storage.size(`made/${run.generationId}/1`)).toBe(5)
})

test('a refusal that arrives while the database is locked is recorded afterwards', { timeout: 40_000 }, async () => {
  const { run, answer } = await asking({ behaviour: { submit: 'drops' } })
  const stall = await aStall()
  const answered = answer()
  await stall.refused()
  await stall.end()
  await answered
  expect(await run.look()).toMatchObject(unknown)
})

test('a second job waits while a running process has an open submit, and the first records its answer', async () => {
  await aliveAs('proc_test')
  const { run, answer } = await asking()
  for (let jobs = 0; jobs < 8; jobs++) await run.run('submitGeneration', elsewhere(run))
  expect([await run.look(), await run.waiting()]).toMatchObject([{ state: 'queued' }, [{ task: 'submitGeneration', seconds: 5 }]])
  await answer()
  expect([await run.look(), run.vendor.submits]).toMatchObject([{ state: 'running' }, 1])
  expect((await run.waiting()).map(({ task }) => task)).toEqual(['pollGeneration'])
  await run.run('submitGeneration', elsewhere(run))
  expect([await run.look(), run.vendor.submits]).toMatchObject([{ state: 'running' }, 1])
})

test('a second job in the same process waits too', async () => {
  const { run, answer } = await asking()
  await run.run('submitGeneration')
  expect(await run.look()).toMatchObject({ state: 'queued' })
  await answer()
  expect([await run.look(), run.vendor.submits]).toMatchObject([{ state: 'running' }, 1])
})

test('a submit becomes unknown only after its process has certainly ended', async () => {
  await aliveAs('proc_test')
  const { run, answer } = await asking()
  await services.pool.query(`delete from processes where id = 'proc_test'`)
  await services.pool.query(`insert into buried_processes values ('proc_test', present() + interval '30 seconds')`)
  onTestFinished(async () => void (await services.pool.query('delete from buried_processes')))
  await run.run('submitGeneration', elsewhere(run))
  expect(await run.look()).toMatchObject({ state: 'queued' })
  await clock.advance(31_000)
  await run.run('submitGeneration', elsewhere(run))
  expect(await run.look()).toMatchObject(unknown)
  await answer()
  expect(await run.look()).toMatchObject(unknown)
})

test('a submit that its process no longer has open is unknown at once', async () => {
  const { run } = await asking()
  await run.run('submitGeneration', elsewhere(run, 'proc_test'))
  expect(await run.look()).toMatchObject(unknown)
})

test('a submit is unknown after the time limits for its answer and for recording it', async () => {
  await aliveAs('proc_test')
  const { run } = await asking()
  await clock.advance(119 * 1000)
  await run.run('submitGeneration', elsewhere(run))
  expect(await run.look()).toMatchObject({ state: 'queued' })
  await clock.advance((1 + 600 + 300) * 1000 + 1000)
  await run.run('submitGeneration', elsewhere(run))
  expect(await run.look()).toMatchObject(unknown)
})

/** The context of a process that loses the confirmation of a statement once. */
function losing(run: Run, statementName: string) {
  const { sql } = run.context
  let isLost = false
  const one = async <Row>(...asked: Parameters<typeof sql.one<Row>>) => {
    const row = await sql.one<Row>(...asked)
    if (isLost || asked[0].name !== statementName) return row
    isLost = true
    throw new Refusal('service_unavailable')
  }
  return { ...run.context, sql: { ...sql, one } }
}

test('an intent that was committed with the first claim, without a confirmation, is taken back, and the work is submitted later', async () => {
  const run = await vendorRun(own, { provider: withoutRepeats })
  await expect(run.run('submitGeneration', losing(run, 'claim_generation'))).rejects.toThrow(Refusal)
  expect([run.vendor.submits, await run.look()]).toMatchObject([0, { state: 'queued' }])
  await run.run('submitGeneration')
  expect([run.vendor.submits, await run.look()]).toMatchObject([1, { state: 'running' }])
})

test('an intent of a later claim whose commit confirmation was lost is taken back, and the work is submitted later', {
  timeout: 40_000,
}, async () => {
  const run = await vendorRun(own, { provider: withoutRepeats })
  await claimGeneration(run.context, run.generationId, { task: 'submitGeneration', providerId: 'vendor', deadlineSeconds: 120 })
  await run.run('submitGeneration', losing(run, 'save_exclusive_intent'))
  expect([run.vendor.submits, await run.look()]).toMatchObject([0, { state: 'queued' }])
  await run.run('submitGeneration')
  expect([run.vendor.submits, await run.look()]).toMatchObject([1, { state: 'running' }])
})

test('the books are balanced after all tests', async () => {
  expect(await checkBooks(aJobContext(services))).toEqual({ clean: true, faults: [] })
})
