import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { makeLogger } from '../../../src/cli/boot/logger.ts'
import { openServices } from '../../../src/cli/boot/openServices.ts'
import { readConfig } from '../../../src/config/readConfig.ts'
import { Refusal } from '../../../src/contract/refusals/refusals.ts'
import type { GenerationRequest } from '../../../src/contract/shapes/generationRequest.ts'
import { issueKey } from '../../../src/domain/access/keys/issueKey.ts'
import { createUser } from '../../../src/domain/access/people/users.ts'
import { accountIdOf, type Spender } from '../../../src/domain/access/spender.ts'
import { setTeamMember } from '../../../src/domain/access/teams/memberships.ts'
import { createTeam } from '../../../src/domain/access/teams/teams.ts'
import { type Context, contextFor } from '../../../src/domain/context.ts'
import { checkBooks } from '../../../src/domain/credits/checkBooks.ts'
import { grantCredits } from '../../../src/domain/credits/grantCredits.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { statement } from '../../../src/domain/sql.ts'
import { vendors } from '../../../src/providers/vendors.ts'
import type { Bill } from '../billing/work.ts'
import { type FaultReceiver, startFaultReceiver } from './faultReceiver.ts'
import type { FaultStage } from './faultStage.ts'
import { endWorker, startWorkerProcess } from './workerProcesses.ts'

export type FaultReport = {
  states: Record<string, number>
  /** The causes of failed generations, as `class/reason`. */
  failures: Record<string, number>
  faults: string[]
  /** Generations that a vendor accepted more than once. */
  submittedTwice: number
  webhooks: Awaited<ReturnType<FaultReceiver['report']>>
  lateSeconds: number
  kills: number
  /** For stages with a billing vendor. */
  bill?: Bill
}

const counts = statement<{ state: string; count: string }>('count_states', 'select state, count(*) from generations group by state')
const reasons = statement<{ name: string; count: string }>(
  'count_reasons',
  `select concat(failure->>'code', '/', failure->>'reason') as name, count(*) from generations where state = 'failed' group by 1`,
)
const statesByPrompt = statement<{ prompt: string; state: string }>('states_by_prompt', 'select prompt, state from generations')
const workersAtOnce = 2

/** Runs `generations` on a stage while worker processes are killed `kills` times at random, and says what became of them. */
export async function faultRun(stage: FaultStage, options: { generations: number; kills: number; random(): number }): Promise<FaultReport> {
  const { env } = stage
  const opened = await openServices(readConfig(env, { command: 'work', vendors }), {
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
    let started = 0
    const kills: number[] = []
    for (let kill = 0; kill < options.kills; kill++) {
      // A part before each kill, including the last, so that every kill interrupts work.
      for (const until = Math.ceil((options.generations * (kill + 1)) / options.kills); started < until; started++) {
        await start(context, spender, stage.request(started))
      }
      await pause(50 + options.random() * 250)
      const victims = [...workers]
      const victim = victims[Math.floor(options.random() * victims.length)] as ChildProcess
      workers.delete(victim)
      const gone = once(victim, 'exit')
      kills.push(performance.now())
      victim.kill('SIGKILL')
      await gone
      workers.add(await startWorkerProcess(env))
    }
    const lastKill = performance.now()
    const states = await untilEnded(context, options.generations)
    const lateSeconds = (performance.now() - lastKill) / 1000
    const { faults } = await checkBooks(context)
    const ends = new Map((await context.sql.all(statesByPrompt, [])).map(({ prompt, state }) => [prompt, state]))
    const bill = await stage.bill?.(ends, kills)
    const failures = Object.fromEntries((await context.sql.all(reasons, [])).map(({ name, count }) => [name, Number(count)]))
    return {
      states,
      failures,
      faults,
      submittedTwice: stage.submittedTwice(),
      webhooks: await receiver.report(),
      lateSeconds,
      kills: options.kills,
      ...(bill ? { bill } : {}),
    }
  } finally {
    await Promise.all([...workers].map(endWorker))
    await opened.close()
    await receiver?.close()
  }
}

async function payer(context: Context, generations: number): Promise<Spender> {
  const team = await createTeam(context, { name: 'Faults' })
  const user = await createUser(context, { email: 'faults@example.com', name: 'Faults' })
  await setTeamMember(context, { teamId: team.id, userId: user.id, role: 'owner' })
  await grantCredits(context, { teamId: team.id, credits: generations * 1000, note: 'for the run', idempotencyKey: 'once' })
  const { apiKey } = await issueKey(context, { teamId: team.id, userId: user.id, name: 'faults', scopes: ['generations:write'] })
  return { ownerId: team.id, accountId: accountIdOf(team.id), userId: user.id, keyId: apiKey.id, source: 'rest' }
}

/** Unlocks a family that the faults of this run locked, because the test checks later steps. */
async function start(context: Context, spender: Spender, request: GenerationRequest): Promise<void> {
  try {
    await startGeneration(context, spender, { request })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'family_unavailable') throw error
    await openFamilies(context)
    await start(context, spender, request)
  }
}

function openFamilies({ breakers, catalog }: Context): Promise<void> {
  return breakers.reset([...catalog.families.keys()].flatMap((id) => breakers.breakersOfFamily(id)))
}

async function untilEnded(context: Context, generations: number): Promise<Record<string, number>> {
  const deadline = performance.now() + 60_000
  await openFamilies(context)
  for (;;) {
    const states = Object.fromEntries((await context.sql.all(counts, [])).map(({ state, count }) => [state, Number(count)]))
    const ended = (states['ready'] ?? 0) + (states['failed'] ?? 0) + (states['cancelled'] ?? 0)
    if (ended >= generations || performance.now() > deadline) return states
    await pause(100)
  }
}
