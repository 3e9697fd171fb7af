import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Failure } from '../../../src/contract/failures/failures.ts'
import { type Context, contextFor, type Services, transaction } from '../../../src/domain/context.ts'
import { endGeneration, endInTransaction } from '../../../src/domain/generations/ending/endGeneration.ts'
import { type Claim, claimGeneration } from '../../../src/domain/generations/steps/claimGeneration.ts'
import { recordOutputs } from '../../../src/domain/generations/steps/recordOutputs.ts'
import { recordIntent, recordSubmitted } from '../../../src/domain/generations/steps/recordSubmit.ts'
import { rescheduleClaimedStep } from '../../../src/domain/generations/steps/rescheduleClaimedStep.ts'
import type { WorkProgress } from '../../../src/domain/generations/steps/workProgress.ts'
import type { StepTask } from '../../../src/domain/generations/transitions.ts'
import { statement } from '../../../src/domain/sql.ts'
import type { Generation, GenerationResult } from '../../../src/entities/Generation.ts'

const providerId = 'sandbox'
const deadlineSeconds = 300
/** Sandbox work that never ends. */
const unready = { provider: providerId, v: 1, data: { readyAt: '9999-01-01T00:00:00.000Z' } }

/** Moves generations between states like the jobs, under control of a test. Each step expects the previous state. */
export function generationTransitions(services: Services) {
  const context = contextFor(services, { kind: 'system' })
  const claim = async (id: string, task: StepTask): Promise<Claim> => {
    const claimed = await claimGeneration(context, id, { task, providerId, deadlineSeconds })
    if (!claimed) throw new Error(`there is nothing to do for ${task}`)
    return claimed
  }
  return {
    /** Accepted by a provider and queued there. */
    async submit(id: string, position?: number) {
      const claimed = await claim(id, 'submitGeneration')
      await recordIntent(context, claimed, { id: providerId, simulated: true })
      await recordSubmitted(context, claimed, { handle: unready, isBegun: false, position, delaySeconds: 3600 })
    },
    /** Records a poll of running work. */
    async see(id: string, seen: WorkProgress & { isBegun: boolean }) {
      await rescheduleClaimedStep(context, await claim(id, 'pollGeneration'), {
        task: 'pollGeneration',
        delaySeconds: 3600,
        isRetry: false,
        seen,
      })
    },
    /** queued → running */
    async begin(id: string) {
      const claimed = await claim(id, 'submitGeneration')
      await recordIntent(context, claimed, { id: providerId, simulated: true })
      await recordSubmitted(context, claimed, { handle: unready, isBegun: true, position: undefined, delaySeconds: 3600 })
    },
    /** running → finalizing */
    gather: async (id: string) => void (await recordOutputs(context, await claim(id, 'pollGeneration'), { outputs: [{ data: {} }] })),
    /** finalizing → ready, with these bytes as its result. */
    async finish(id: string, content: Buffer, mimeType = 'image/png') {
      const { key, sizeBytes, sha256 } = await services.storage.put(`results/${id}/${randomUUID()}`, Readable.from([content]))
      const result = { storageKey: key, mimeType, sizeBytes, sha256, width: 2, height: 2, durationSeconds: null }
      await endGeneration(context, id, { by: 'job', to: 'ready', result })
    },
    /** Any open state → failed */
    async fail(id: string, failure: Failure = { code: 'timeout', reason: 'model_timeout' }) {
      await endGeneration(context, id, { by: 'job', to: 'failed', failure })
    },
  }
}

/** The desired end of a generation: `cancelled` is charged from `running` on. */
export type WantedEnd =
  | { to: 'ready'; result: GenerationResult }
  | { to: 'failed'; failure: Failure }
  | { to: 'cancelled'; charged: boolean }

/**
 * Ends an open generation at once: moves it to the required state, without an earlier attempt, and ends it with the real function, in one
 * transaction: a worker that found the state without outputs would fail the generation.
 */
export async function endAtOnce(context: Context, id: string, wanted: WantedEnd): Promise<Generation | undefined> {
  const state = wanted.to === 'ready' ? 'finalizing' : wanted.to === 'cancelled' && wanted.charged ? 'running' : 'queued'
  const ending = wanted.to === 'cancelled' ? ({ by: 'caller', to: wanted.to } as const) : ({ by: 'job', ...wanted } as const)
  return transaction(context, async (inside) => {
    await inside.sql.all(moveOpen, [id, state])
    return endInTransaction(inside, id, ending)
  })
}

const moveOpen = statement<never>('test_move_open', 'update generations set state = $2 where id = $1 and finished_at is null')
