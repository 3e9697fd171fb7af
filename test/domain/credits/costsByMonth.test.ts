import { afterAll, expect, test } from 'vitest'
import { costsByMonth } from '../../../src/domain/credits/costsByMonth.ts'
import { aServiceContext } from '../../support/factories.ts'
import { testServices } from '../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)
const context = aServiceContext(services)
let count = 0

/** A generation that ended at the given time, with the cost that its vendor reported. */
async function ended(work: {
  at: string
  familyId?: string
  state?: 'ready' | 'failed'
  provider?: string
  credits?: number
  usd?: number
}) {
  const { at, familyId = 'kite', state = 'ready', provider = 'vendor', credits = 1, usd } = work
  const id = `gen_${++count}`
  await services.pool.query(
    `insert into generations (id, owner_id, source, state, family_id, output_type, price, credits_charged, result, failure, created_at, finished_at, attempt)
       values ($1, 'team_x', 'editor', $2, $3, 'image', $4, $4, $5, $6, $7, $7, 1)`,
    [id, state, familyId, credits * 100, state === 'ready' ? '{"heldBy":"editor"}' : null, state === 'failed' ? '{}' : null, at],
  )
  await services.pool.query(
    `insert into generation_attempts (generation_id, number, provider, idempotency_key, cost_usd) values ($1, 1, $2, $1, $3)`,
    [id, provider, usd ?? null],
  )
}

test('charges and vendor costs are summed by family and month (UTC), newest first, including the cost of failed work', async () => {
  await ended({ at: '2026-01-31T23:59:59.999Z', credits: 2, usd: 0.01 })
  await ended({ at: '2026-02-01T00:00:00.000Z', credits: 3, usd: 0.0125 })
  await ended({ at: '2026-02-28T12:00:00.000Z', credits: 3 })
  await ended({ at: '2026-03-01T00:00:00.000Z', familyId: 'boat', credits: 4, usd: 0.02 })
  await ended({ at: '2026-03-02T00:00:00.000Z', familyId: 'boat', state: 'failed', credits: 0, usd: 0.005 })
  await ended({ at: '2026-03-03T00:00:00.000Z', provider: 'sandbox', credits: 9 })
  await ended({ at: '2025-12-31T23:59:59.000Z', credits: 9, usd: 9 })
  expect(await costsByMonth(context, { months: 3, without: ['sandbox'] })).toEqual([
    { month: '2026-03', familyId: 'boat', made: 1, charged: 400, costUsd: 0.025, unreported: 0 },
    { month: '2026-02', familyId: 'kite', made: 2, charged: 600, costUsd: 0.0125, unreported: 1 },
    { month: '2026-01', familyId: 'kite', made: 1, charged: 200, costUsd: 0.01, unreported: 0 },
  ])
})

test('the statement of a day uses an index, however many other rows exist', async () => {
  const { rows } = await services.pool
    .query(
      `set enable_seqscan = off; explain (format json) select family_id from generations where finished_at >= '2026-02-01' and finished_at < '2026-02-02'`,
    )
    .then((results) => (results as unknown as { rows: unknown[] }[])[1] ?? { rows: [] })
  expect(JSON.stringify(rows)).toContain('"Index Cond":"((finished_at >= ')
  await services.pool.query('reset enable_seqscan')
})
