import { readdir } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import { removeOrphans } from '../../../src/domain/generations/results/removeOrphans.ts'
import type { JobContext } from '../../../src/jobs/runners/jobContext.ts'
import type { Provider } from '../../../src/providers/provider.ts'
import { aJobContext } from '../../support/generations/jobContext.ts'
import { sampleFile } from '../../support/media/sampleFile.ts'
import { answeringProvider } from '../../support/vendor/answeringProvider.ts'
import { vendorRun, vendorServices } from '../../support/vendor/vendorRun.ts'

const own = await vendorServices()
const { services } = own
afterAll(own.close)

/** A vendor whose answer is the result itself. */
function answeringVendor(bytes: Buffer, declared = 'image/png'): Provider {
  return answeringProvider(async (_spec, { keep }) => ({ kind: 'done', outputs: [await keep(bytes, declared)] }))
}

async function started(declared?: string) {
  const run = await vendorRun(own)
  const context = aJobContext(services, { providers: [answeringVendor(await sampleFile('png'), declared)] })
  await run.lockJob()
  return { run, context, staged: `made/${run.generationId}/1` }
}

const keyOf = async (run: Awaited<ReturnType<typeof vendorRun>>) => {
  const { state, result } = await run.look()
  return [state, result && 'storageKey' in result ? result.storageKey : undefined]
}

test('bytes that arrive with an answer become the result without a copy, a cleanup or a local file', async () => {
  const { run, context, staged } = await started()
  await run.run('submitGeneration', context)
  expect(await keyOf(run)).toEqual(['ready', staged])
  expect(await context.storage.read(staged)).toEqual(await sampleFile('png'))
  expect(await run.waiting()).toEqual([])
  expect(await readdir(services.settings.temporaryFolder)).toEqual([])
})

test('the removal of orphans keeps a result that arrived with the answer', async () => {
  const { run, context, staged } = await started()
  await run.run('submitGeneration', context)
  await removeOrphans(context, run.generationId)
  expect(await context.storage.size(staged)).toBeGreaterThan(0)
})

test('bytes of another type than declared are stored again as the result, with their type', async () => {
  const { run, context } = await started('image/webp')
  await run.run('submitGeneration', context)
  expect(await keyOf(run)).toEqual(['ready', `results/${run.generationId}/1`])
  expect((await run.waiting()).map(({ task }) => task)).toEqual(['removeOrphans'])
})

test('after a crash between outputs and end, the next job stores the result under its own key', async () => {
  const { run, context, staged } = await started()
  const inspect = () => Promise.withResolvers<never>().promise
  const dying: JobContext = { ...context, inspector: { ...context.inspector, inspect } }
  void run.run('submitGeneration', dying)
  await expect.poll(async () => (await run.look()).state).toBe('finalizing')
  await run.run('submitGeneration', context)
  expect(await keyOf(run)).toEqual(['ready', `results/${run.generationId}/2`])
  await run.run('removeOrphans')
  expect(await context.storage.size(staged)).toBeUndefined()
})

test('recording the answer closes the submit in the same statement', async () => {
  const { run, context } = await started('image/webp')
  const asked: string[] = []
  const { sql } = context
  const one: typeof sql.one = (statement, values) => {
    asked.push(statement.name)
    return sql.one(statement, values)
  }
  await run.run('submitGeneration', { ...context, sql: { ...sql, one } })
  expect(asked).not.toContain('close_open_submit')
  const { rows } = await services.pool.query(
    'select asked_by, asked_fence, answer_until from generation_attempts where generation_id = $1',
    [run.generationId],
  )
  expect(rows).toEqual([{ asked_by: null, asked_fence: null, answer_until: null }])
})

test('stored bytes become the result however long the inspector has no room on its disk, and the vendor is asked once', async () => {
  const { run, context, staged } = await started()
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  const inspect = () => Promise.reject(new Error('the file could not be read', { cause: full }))
  const onFullDisk: JobContext = { ...context, inspector: { ...context.inspector, inspect } }
  await run.run('submitGeneration', onFullDisk)
  for (let minutes = 0; minutes < 60; minutes += 10) {
    expect((await run.waiting()).map(({ task }) => task)).toEqual(['finaliseGeneration'])
    await own.clock.advance(600_000)
    await run.run('finaliseGeneration', onFullDisk)
  }
  expect(await readdir(services.settings.temporaryFolder)).toEqual([])
  expect(await context.storage.read(staged)).toEqual(await sampleFile('png'))
  await run.run('finaliseGeneration', context)
  const { state, attempt } = await run.look()
  expect([state, attempt]).toEqual(['ready', 1])
})
