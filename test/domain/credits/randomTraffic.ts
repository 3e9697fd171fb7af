import fc from 'fast-check'
import { Refusal } from '../../../src/contract/refusals/refusals.ts'
import { updateKey } from '../../../src/domain/access/keys/updateKey.ts'
import type { Services } from '../../../src/domain/context.ts'
import { grantCredits } from '../../../src/domain/credits/grantCredits.ts'
import { cancelGeneration } from '../../../src/domain/generations/ending/cancelGeneration.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import type { TeamWithKey } from '../../support/factories.ts'
import { aServiceContext, aTeamWithKey } from '../../support/factories.ts'
import { endAtOnce } from '../../support/generations/generationTransitions.ts'

type Step =
  | { kind: 'grant'; hundredths: number }
  | { kind: 'start'; version: 'draft' | 'standard' | 'pro'; order: number | null }
  | { kind: 'complete' | 'fail' | 'cancel'; which: number }
  | { kind: 'ceiling'; daily: number | null; monthly: number | null; single: number | null }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('grant' as const), hundredths: fc.integer({ min: 1, max: 1000 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('start' as const),
      version: fc.constantFrom('draft', 'standard', 'pro'),
      order: fc.option(fc.nat({ max: 3 })),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('complete' as const, 'fail', 'cancel'), which: fc.nat({ max: 5 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('ceiling' as const),
      daily: fc.option(fc.integer({ min: 0, max: 40 })),
      monthly: fc.option(fc.integer({ min: 0, max: 40 })),
      single: fc.option(fc.integer({ min: 0, max: 10 })),
    }),
  },
)

/** The team and the process of a step. */
const placed = fc.record({ step, team: fc.nat({ max: 1 }), process: fc.nat() })
type Placed = { step: Step; team: number; process: number }

/** Rounds of steps. The steps of one round run concurrently. */
export const traffic = fc.array(fc.array(placed, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 6 })

type Spending = { made: TeamWithKey; started: string[] }

/**
 * Runs the rounds on two new teams whose starts share batches. Refusals are part of the traffic;
 * any other error fails the test.
 */
export async function run(processes: Services[], rounds: Placed[][]): Promise<void> {
  const [first] = processes
  if (first === undefined) throw new Error('there is no process')
  const teams: Spending[] = []
  for (let count = 0; count < 2; count++) teams.push({ made: await aTeamWithKey(first, { credits: 20 }), started: [] })
  for (const [round, steps] of rounds.entries()) {
    const outcomes = await Promise.allSettled(
      steps.map(({ step, team, process }, index) => {
        const services = processes[process % processes.length] ?? first
        return take(services, teams[team] as Spending, step, `${round}.${index}`)
      }),
    )
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected' && !(outcome.reason instanceof Refusal)) throw outcome.reason
    }
  }
}

const result = { storageKey: 'results/none', mimeType: 'image/png', sizeBytes: 1, sha256: '', width: 1, height: 1, durationSeconds: null }

async function take(services: Services, { made: team, started }: Spending, step: Step, name: string): Promise<unknown> {
  const operator = aServiceContext(services)
  const made = { ...team, context: { ...team.context, ...operator, actor: team.context.actor } }
  switch (step.kind) {
    case 'grant':
      return await grantCredits(operator, { teamId: made.team.id, credits: step.hundredths / 100, note: '', idempotencyKey: name })
    case 'ceiling':
      return await updateKey(operator, {
        id: made.key.id,
        dailyLimitCredits: step.daily,
        monthlyLimitCredits: step.monthly,
        singleLimitCredits: step.single,
      })
    case 'start':
      return started.push(await start(made, step))
    case 'complete':
    case 'fail':
    case 'cancel':
      return await end(made, started[started.length - 1 - (step.which % Math.max(1, started.length))], step.kind)
  }
}

async function start({ context, spender }: TeamWithKey, { version, order }: { version: string; order: number | null }): Promise<string> {
  const request = { familyId: 'sandbox-image', prompt: 'a boat', axes: { version } }
  const idempotencyKey = order === null ? undefined : `order ${order}`
  return (await startGeneration(context, spender, { request, idempotencyKey })).generation.generationId
}

async function end({ context, spender }: TeamWithKey, id: string | undefined, how: 'complete' | 'fail' | 'cancel'): Promise<unknown> {
  if (id === undefined) return
  if (how === 'cancel') return await cancelGeneration(context, spender, id)
  const failure = { code: 'provider_error', reason: 'provider_failed' } as const
  const ending = how === 'complete' ? ({ to: 'ready', result } as const) : ({ to: 'failed', failure } as const)
  return await endAtOnce(context, id, ending)
}
