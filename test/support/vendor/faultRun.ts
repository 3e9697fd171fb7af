import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { makeLogger } from '../../../src/cli/logger.ts'
import { openServices } from '../../../src/cli/openServices.ts'
import { readConfig } from '../../../src/config/readConfig.ts'
import { issueKey } from '../../../src/domain/access/issueKey.ts'
import { setTeamMember } from '../../../src/domain/access/memberships.ts'
import { accountIdOf, type Spender } from '../../../src/domain/access/spender.ts'
import { createTeam } from '../../../src/domain/access/teams.ts'
import { createUser } from '../../../src/domain/access/users.ts'
import { type Context, contextFor } from '../../../src/domain/context.ts'
import { checkBooks } from '../../../src/domain/credits/checkBooks.ts'
import { grantCredits } from '../../../src/domain/credits/grantCredits.ts'
import { startGeneration } from '../../../src/domain/generations/startGeneration.ts'
import { statement } from '../../../src/domain/sql.ts'
import { type FaultReceiver, startFaultReceiver } from './faultReceiver.ts'
import { startVendor } from './vendorServer.ts'
import { endWorker, startWorkerProcess, workerEnvironment } from './workerProcesses.ts'

export type FaultReport = {
  states: Record<string, number>
  faults: string[]
  /** Generations whose work the vendor took in more than once under different keys. */
  submittedTwice: number
  webhooks: Awaited<ReturnType<FaultReceiver['report']>>
  lateSeconds: number
  kills: number
}

const counts = statement<{ state: string; count: string }>('count_states', 'select state, count(*) from generations group by state')
const workersAtOnce = 2

/** Runs `generations` while worker processes are killed `kills` times at random, and says what became of them. */
export async function faultRun(options: {
  databaseUrl: string
  folder: string
  generations: number
  kills: number
  random(): number
}): Promise<FaultReport> {
  const vendor = await startVendor({ pollsUntilDone: 2 })
  const env = workerEnvironment({ databaseUrl: options.databaseUrl, folder: options.folder, vendorUrl: vendor.url })
  const opened = await openServices(readConfig(env, { command: 'work' }), {
    log: makeLogger({ level: 'error' }),
    publicUrl: 'http://localhost',
    listeners: [],
    poolMax: 5,
  })
  const workers = new Set<ChildProcess>()
  let receiver: FaultReceiver | undefined
  try {
    const context = contextFor(opened.services, { kind: 'service' })
    const spender = await payer(context, options.generations)
    receiver = await startFaultReceiver(context, { teamId: spender.ownerId, generations: options.generations })
    for (let n = 0; n < workersAtOnce; n++) workers.add(await startWorkerProcess(env))
    for (let kill = 0; kill < options.kills; kill++) {
      // A share before each kill, the last one included: every kill finds work in progress.
      await startSome(
        context,
        spender,
        Math.ceil((options.generations * (kill + 1)) / options.kills) - Math.ceil((options.generations * kill) / options.kills),
      )
      await pause(50 + options.random() * 250)
      const victims = [...workers]
      const victim = victims[Math.floor(options.random() * victims.length)] as ChildProcess
      workers.delete(victim)
      const gone = once(victim, 'exit')
      victim.kill('SIGKILL')
      await gone
      workers.add(await startWorkerProcess(env))
    }
    const lastKill = performance.now()
    const states = await untilEnded(context, options.generations)
    const lateSeconds = (performance.now() - lastKill) / 1000
    const { faults } = await checkBooks(context)
    const perGeneration = Map.groupBy(vendor.jobs.keys(), (key) => key.split('.')[0])
    return {
      states,
      faults,
      submittedTwice: [...perGeneration.values()].filter((keys) => keys.length > 1).length,
      webhooks: await receiver.report(),
      lateSeconds,
      kills: options.kills,
    }
  } finally {
    await Promise.all([...workers].map(endWorker))
    await opened.close()
    await vendor.close()
    await receiver?.close()
  }
}

async function payer(context: Context, generations: number): Promise<Spender> {
  const team = await createTeam(context, { name: 'Faults' })
  const user = await createUser(context, { email: 'faults@example.com', name: 'Faults' })
  await setTeamMember(context, { teamId: team.id, userId: user.id, role: 'owner' })
  await grantCredits(context, { teamId: team.id, credits: generations * 2, note: 'for the run', idempotencyKey: 'once' })
  const { apiKey } = await issueKey(context, { teamId: team.id, userId: user.id, name: 'faults', scopes: ['generations:write'] })
  return { ownerId: team.id, accountId: accountIdOf(team.id), userId: user.id, keyId: apiKey.id, source: 'rest' }
}

async function startSome(context: Context, spender: Spender, generations: number): Promise<void> {
  for (let n = 0; n < generations; n++) {
    await startGeneration(context, spender, { request: { familyId: 'vendor-image', prompt: `number ${n}` }, idempotencyKey: undefined })
  }
}

async function untilEnded(context: Context, generations: number): Promise<Record<string, number>> {
  const deadline = performance.now() + 60_000
  for (;;) {
    const states = Object.fromEntries((await context.sql.all(counts, [])).map(({ state, count }) => [state, Number(count)]))
    const ended = (states['ready'] ?? 0) + (states['failed'] ?? 0) + (states['cancelled'] ?? 0)
    if (ended >= generations || performance.now() > deadline) return states
    await pause(100)
  }
}
