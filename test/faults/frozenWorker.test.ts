import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { checkBooks } from '../../src/domain/credits/checkBooks.ts'
import { vendorRun, vendorServices } from '../support/vendor/vendorRun.ts'
import { endWorker, startWorkerProcess, workerEnvironment } from '../support/vendor/workerProcesses.ts'

const own = await vendorServices({ clock: 'database' })
const folder = await mkdtemp(join(tmpdir(), 'atelier-frozen-'))
afterAll(async () => {
  await own.close()
  await rm(folder, { recursive: true, force: true })
})

async function aWorker(env: NodeJS.ProcessEnv) {
  const worker = await startWorkerProcess(env)
  onTestFinished(async () => {
    worker.kill('SIGCONT')
    await endWorker(worker)
  })
  return worker
}

test('the work of a frozen process is taken over within 20 seconds, and its later writes are refused', {
  timeout: 90_000,
}, async () => {
  const firstAnswer = Promise.withResolvers<void>()
  const run = await vendorRun(own, { behaviour: { pollsUntilDone: 1, pollGate: firstAnswer.promise } })
  const env = workerEnvironment({ databaseUrl: own.databaseUrl, folder, vendorUrl: run.vendor.url })
  const frozen = await aWorker(env)
  await vi.waitFor(() => expect(run.vendor.polls).toBe(1), { timeout: 20_000, interval: 5 })
  frozen.kill('SIGSTOP')
  run.vendor.behaviour.pollGate = Promise.resolve()
  await aWorker(env)
  await vi.waitFor(() => expect(run.vendor.polls).toBe(2), { timeout: 20_000, interval: 20 })
  await vi.waitFor(async () => expect((await run.look()).state).toBe('ready'), { timeout: 10_000, interval: 20 })

  const before = await run.look()
  firstAnswer.resolve()
  frozen.kill('SIGCONT')
  await endWorker(frozen)
  expect(await run.look()).toEqual(before)
  expect([before.creditsCharged, run.vendor.submits]).toEqual([150, 1])
  expect(await checkBooks(run.context)).toEqual({ clean: true, faults: [] })
})
