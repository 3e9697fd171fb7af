import { afterAll, expect, test, vi } from 'vitest'
import { Refusal } from '../../../src/contract/refusals/refusals.ts'
import { checkBooks } from '../../../src/domain/credits/checkBooks.ts'
import type { JobContext } from '../../../src/jobs/runners/jobContext.ts'
import type { Output } from '../../../src/providers/provider.ts'
import { aJobContext } from '../../support/generations/jobContext.ts'
import { sampleFile } from '../../support/media/sampleFile.ts'
import { answeringProvider } from '../../support/vendor/answeringProvider.ts'
import { vendorRun, vendorServices } from '../../support/vendor/vendorRun.ts'

const own = await vendorServices()
const { services } = own
afterAll(own.close)

const png = await sampleFile('png')
/** Known before, so that no inspection of these tests takes longer than an end at once waits. */
const inspected = await aJobContext(services, { providers: [] }).inspector.inspect(png, { owner: 'results' })

/** A generation whose vendor answers the submit with the result. `outputs`: what the answer lists. */
async function answered({ outputs = (kept: Output) => [kept] } = {}) {
  const run = await vendorRun(own)
  await run.lockJob()
  let submits = 0
  const provider = answeringProvider(async (_spec, { keep }) => {
    submits += 1
    return { kind: 'done', outputs: outputs(await keep(png, 'image/png')), cost: { usd: 0.04, quantity: Number.NaN, unit: 'image\0' } }
  })
  const names: string[] = []
  const context = aJobContext(services, { providers: [provider] })
  const { sql, inspector } = context
  const all: typeof sql.all = (statement, values) => {
    names.push(statement.name)
    return sql.all(statement, values)
  }
  const one: typeof sql.one = (statement, values) => {
    names.push(statement.name)
    return sql.one(statement, values)
  }
  const outcome = async () => {
    const { state, creditsCharged, result } = await run.look()
    const stored = result && 'storageKey' in result ? await services.storage.read(result.storageKey) : undefined
    const { faults } = await checkBooks(context)
    return { state, creditsCharged, submits, isWhole: stored?.equals(png), faults }
  }
  const inspect: typeof inspector.inspect = async () => inspected
  return {
    run,
    context: { ...context, sql: { ...sql, all, one }, inspector: { ...inspector, inspect } },
    names,
    outcome,
    staged: `made/${run.generationId}/1`,
  }
}

/** `context` with an inspector that calls `before` first. */
function inspecting(context: JobContext, before: () => Promise<unknown>): JobContext {
  const { inspector } = context
  const inspect: typeof inspector.inspect = async (...values) => {
    await before()
    return inspector.inspect(...values)
  }
  return { ...context, inspector: { ...inspector, inspect } }
}

const once = { state: 'ready', creditsCharged: 150, submits: 1, isWhole: true, faults: [] }

test('an answer that is the result ends its generation by one write, with its times and the cost of the vendor', async () => {
  const { run, context, names, outcome } = await answered()
  await run.run('submitGeneration', context)
  expect([names.includes('end_unobserved_results'), names.includes('record_outputs')]).toEqual([true, false])
  expect([await outcome(), await run.waiting()]).toEqual([once, []])
  const { startedAt, finishedAt } = await run.look()
  expect(startedAt).toEqual(finishedAt)
  const { rows } = await services.pool.query(
    'select cost_usd, cost_quantity, cost_unit from generation_attempts where generation_id = $1',
    [run.generationId],
  )
  expect(rows).toEqual([{ cost_usd: '0.04', cost_quantity: null, cost_unit: 'image\uFFFD' }])
})

test('an answer is finalizing while its inspection takes long: a cancel conflicts, and it is inspected once', async () => {
  const { run, context, outcome } = await answered()
  const gate = Promise.withResolvers<void>()
  const inspect = vi.fn<() => Promise<void>>(() => gate.promise)
  const submitting = run.run('submitGeneration', inspecting(context, inspect))
  await expect.poll(async () => (await run.look()).state).toBe('finalizing')
  await expect(run.cancel()).rejects.toMatchObject({ code: 'cancel_conflict' })
  gate.resolve()
  await submitting
  expect([await outcome(), inspect.mock.calls.length]).toEqual([once, 1])
})

test('an answer whose generation is cancelled while it is inspected is not charged, and its bytes are removed', async () => {
  const { run, context, outcome, staged } = await answered()
  await run.run(
    'submitGeneration',
    inspecting(context, () => run.cancel()),
  )
  expect(await outcome()).toMatchObject({ state: 'cancelled', creditsCharged: 0, faults: [] })
  expect(await services.storage.size(staged)).toBeUndefined()
})

test('an answer whose claim was lost while it was inspected is delivered all the same, once', async () => {
  const { run, context, names, outcome } = await answered()
  const raise = () => services.pool.query('update generations set fence = fence + 1 where id = $1', [run.generationId])
  await run.run('submitGeneration', inspecting(context, raise))
  expect([await outcome(), names.includes('record_outputs')]).toEqual([once, true])
})

test.each([
  { moment: 'before', isWritten: false },
  { moment: 'after', isWritten: true },
])('an answer whose end is refused $moment it is written is delivered and charged once', async ({ isWritten }) => {
  const { run, context, names, outcome } = await answered()
  let refused = 0
  const { sql } = context
  const all: typeof sql.all = async (statement, values) => {
    if (statement.name !== 'end_unobserved_results' || refused > 0) return sql.all(statement, values)
    refused += 1
    if (isWritten) await sql.all(statement, values)
    throw new Refusal('service_unavailable')
  }
  await run.run('submitGeneration', { ...context, sql: { ...sql, all } })
  expect([await outcome(), refused, names.includes('record_outputs')]).toEqual([once, 1, true])
})

test('an answer with several outputs is recorded before one of them becomes the result', async () => {
  const { run, context, names, outcome } = await answered({ outputs: (kept) => [kept, kept] })
  await run.run('submitGeneration', context)
  expect([await outcome(), names.includes('record_outputs')]).toEqual([once, true])
})
