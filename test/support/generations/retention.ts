import { expect } from 'vitest'
import { readGeneration } from '../../../src/domain/generations/reading/readGeneration.ts'
import { applyTeamRetention } from '../../../src/domain/generations/retention/applyTeamRetention.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import type { TeamWithKey } from '../factories.ts'
import type { testServices } from '../services.ts'
import { endAtOnce } from './generationTransitions.ts'
import { aJobContext } from './jobContext.ts'

const dayMs = 86_400_000

/** The result after a deletion by the team's retention. */
export const byRetention = { deletedAt: expect.any(String), deletedBy: 'retention' }

/** A result with an image under that storage key. */
export function imageAt(storageKey: string) {
  return { storageKey, mimeType: 'image/png', sizeBytes: 9, sha256: '00', width: 1, height: 1, durationSeconds: null }
}

/** Started work of that team. */
export async function aStart({ context, spender }: TeamWithKey, prompt = 'a boat'): Promise<string> {
  const { generation } = await startGeneration(context, spender, {
    request: { familyId: 'sandbox-image', prompt },
    idempotencyKey: undefined,
  })
  return String(generation['generationId'])
}

/** Work of that team with an image under that storage key. */
export async function aReady(team: TeamWithKey, storageKey: string, prompt?: string): Promise<string> {
  const id = await aStart(team, prompt)
  await endAtOnce(team.context, id, { to: 'ready', result: imageAt(storageKey) })
  return id
}

export async function resultOf(team: TeamWithKey, id: string) {
  return (await readGeneration(team.context, team.team.id, id)).result
}

/** Advances the clock by days and applies the retention. */
export function aRetention({ services, clock }: Awaited<ReturnType<typeof testServices>>, began: Date) {
  const { pool } = services
  return {
    inDays: (days: number) => clock.set(new Date(began.getTime() + days * dayMs)),
    /** Like several processes at once, after the minutes between two runs. */
    async keep(processes = 1): Promise<void> {
      await pool.query('update team_retention set served_at = null')
      await pool.query(`update postponed_results set tried_at = '2000-01-01'`)
      await Promise.all(Array.from({ length: processes }, () => applyTeamRetention(aJobContext(services), new AbortController().signal)))
    },
    /** As if all jobs had run. */
    finishJobs: () => pool.query(`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`),
    /** The number of jobs that remove the object with that storage key. */
    async removals(storageKey: string): Promise<number> {
      const count = `select count(*)::integer as count from graphile_worker._private_jobs where payload->>'storageKey' = $1`
      return (await pool.query(count, [storageKey])).rows[0].count
    },
  }
}
