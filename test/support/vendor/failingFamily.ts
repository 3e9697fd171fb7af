import type { Failure } from '../../../src/contract/failures/failures.ts'
import { contextFor } from '../../../src/domain/context.ts'
import { endGeneration } from '../../../src/domain/generations/ending/endGeneration.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { type Claim, claimGeneration } from '../../../src/domain/generations/steps/claimGeneration.ts'
import { recordOutputs } from '../../../src/domain/generations/steps/recordOutputs.ts'
import { recordIntent, recordSubmitted } from '../../../src/domain/generations/steps/recordSubmit.ts'
import { breakersOfFamily } from '../../../src/domain/vendors/breakers.ts'
import { breakerOutcomeOfFailure } from '../../../src/domain/vendors/recordBreakerOutcome.ts'
import { aTeamWithKey, type TeamWithKey } from '../factories.ts'
import type { TestServices } from '../services.ts'

const made = { familyId: 'vendor-image', providerId: 'vendor' }
const subject = 'family:vendor-image' as const

/** The owner and the request; default: one team with a new request each time. */
export type Asked = { team?: TeamWithKey; prompt?: string }

/** Work of one family at one vendor, ended like by the jobs, with an outcome that the test sets. */
export function aFailingFamily({ services }: TestServices) {
  const context = contextFor(services, { kind: 'system' })
  let payer: ReturnType<typeof aTeamWithKey> | undefined
  let asked = 0

  /** Submits work. */
  async function handOver({ team: asking, prompt = `a boat, number ${++asked}` }: Asked = {}): Promise<Claim> {
    const { spender, ...team } = asking ?? (await (payer ??= aTeamWithKey(services)))
    // As if it had been started before the lock.
    const calm = { ...team.context, breakers: { ...services.breakers, familyLockedSeconds: () => 0, needsTrial: () => false } }
    const { generation } = await startGeneration(calm, spender, {
      request: { familyId: made.familyId, prompt },
    })
    return hand(generation.generationId)
  }

  /** Like the submit job. */
  async function hand(id: string): Promise<Claim> {
    const claim = await claimGeneration(context, id, { task: 'submitGeneration', providerId: made.providerId, deadlineSeconds: 600 })
    if (!claim) throw new Error('there is nothing to submit')
    await recordIntent(context, claim, { id: made.providerId, simulated: true })
    const handle = { provider: made.providerId, v: 1, data: {} }
    await recordSubmitted(context, claim, { handle, isBegun: true, position: undefined, delaySeconds: 3600 })
    return claim
  }

  async function endOf({ generation: { id, fence } }: Claim, ended: Failure | 'well'): Promise<void> {
    if (ended === 'well') {
      const claim = await claimGeneration(context, id, { task: 'pollGeneration', providerId: made.providerId, deadlineSeconds: 600 })
      if (!claim) throw new Error('there is nothing to gather')
      await recordOutputs(context, claim, { outputs: [] })
      const breakerOutcome = { successOf: breakersOfFamily(made.familyId, [made.providerId]) }
      await endGeneration(context, id, { by: 'job', to: 'ready', result: { text: '' }, fence: fence + 1, breakerOutcome })
    } else {
      await endGeneration(context, id, {
        by: 'job',
        to: 'failed',
        failure: ended,
        fence,
        breakerOutcome: breakerOutcomeOfFailure(ended, made),
      })
    }
  }

  return {
    subject,
    handOver,
    hand,
    endOf,
    endAll: async (claims: Claim[], ended: Failure | 'well') => void (await Promise.all(claims.map((claim) => endOf(claim, ended)))),
    /** Submits work and ends it. */
    end: async (ended: Failure | 'well', by?: Asked) => endOf(await handOver(by), ended),
    /** Resets all failures. */
    async heal(): Promise<void> {
      await services.pool.query('delete from breakers')
      await services.breakers.refresh()
    },
    async lockedSeconds(): Promise<number> {
      await services.breakers.refresh()
      return services.breakers.lockedSeconds([subject])
    },
  }
}
