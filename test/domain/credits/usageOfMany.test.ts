import { afterAll, expect, test } from 'vitest'
import { transaction } from '../../../src/domain/context.ts'
import { usageOf } from '../../../src/domain/credits/usageOf.ts'
import { type Statement, statement } from '../../../src/domain/sql.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { testServices } from '../../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)
const { context, spender, key } = await aTeamWithKey(services)

const rowsRead: Statement<{ rows: number }> = statement(
  'rows_read_of_generations',
  `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as rows from pg_stat_xact_user_tables where relname like 'generations%'`,
)

await services.pool.query(
  `insert into generations (id, owner_id, account_id, key_id, source, state, family_id, output_type, prompt, price, credits_charged, result,
       created_at, finished_at)
     select 'gen_' || n, $1, $2, $3, 'rest', case when n > 40 then 'ready' else 'running' end, 'kite', 'image', '', 100,
         case when n > 40 then 100 end, case when n > 40 then '{}'::jsonb end, $4, case when n > 40 then $4::timestamptz end
       from generate_series(1, 4040) as n`,
  [spender.ownerId, spender.accountId, key.id, clock.now()],
)
await services.pool.query('analyze generations')

test.each(['day', 'key', 'family'] as const)('usage by %s reads only open generations, however many have ended', async (by) => {
  const day = 86_400_000
  const span = { from: new Date(clock.now().getTime() - day), to: new Date(clock.now().getTime() + day) }
  await transaction(context, async (inside) => {
    const before = (await inside.sql.one(rowsRead, []))?.rows ?? 0
    expect(await usageOf(inside, spender, { ...span, by })).toMatchObject([{ active: 40, held: 4000 }])
    expect(await inside.sql.one(rowsRead, [])).toEqual({ rows: before + 40 })
  })
})
