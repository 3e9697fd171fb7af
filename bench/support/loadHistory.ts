import pg from 'pg'
import type { Context } from '../../src/domain/context.ts'
import { createSubscription } from '../../src/domain/webhooks/subscriptions/createSubscription.ts'
import type { BenchTeam } from './fixture.ts'

export type HistorySize = { teams: number; generations: number; deliveries: number; files: number; auditEntries: number }

/** The measured teams: `large` has a tenth of everything, `average` as much as any other team. */
export type MeasuredTeams = { large: BenchTeam & { subscriptionId: string }; average: BenchTeam & { subscriptionId: string } }

/**
 * Fills a database with a history of 80 days, in set-based statements. Half of the generations were paid through keys, with ledger lines;
 * the rest is from the editor. The large team has no failed ones. Every hundredth has a reference and metadata. Every tenth file has expired.
 * Each account gets a grant that covers its history.
 */
export async function loadHistory(databaseUrl: string, size: HistorySize, measured: MeasuredTeams): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, options: '-c synchronous_commit=off -c jit=off -c work_mem=256MB' })
  await client.connect()
  try {
    await client.query(
      'create temporary table owners (n integer primary key, team_id text, account_id text, key_id text, subscription_id text)',
    )
    for (const [n, team] of [measured.large, measured.average].entries()) {
      const values = [n, team.teamId, team.accountId, team.keyId, team.subscriptionId]
      await client.query('insert into owners values ($1, $2, $3, $4, $5)', values)
    }
    for (const [name, text] of Object.entries(statementsFor(size))) {
      const startedAt = performance.now()
      await client.query(text)
      if (performance.now() - startedAt > 1000)
        process.stderr.write(`loaded ${name} in ${Math.round((performance.now() - startedAt) / 1000)} s\n`)
    }
  } finally {
    await client.end()
  }
}

/** Adds a subscription to a team, which `loadHistory` needs for its deliveries. */
export async function withSubscription(context: Context, { key, keyId, userId, teamId, accountId }: BenchTeam) {
  const input = { teamId, address: 'http://127.0.0.1:9/hook', events: ['generation.completed'] as const }
  const { subscription } = await createSubscription(context, { ...input, events: [...input.events] })
  return { key, keyId, userId, teamId, accountId, subscriptionId: subscription.id }
}

/** Identifiers contain their number in digits; identifiers that the service creates later sort after them. */
const idOf = (prefix: string, number: string) => `'${prefix}_' || lpad((${number})::text, 26, '0')`

function statementsFor({ teams, generations, deliveries, files, auditEntries }: HistorySize): Record<string, string> {
  const owner = (n: string) => `case when ${n} % 10 = 0 then 0 else 1 + ${n} % ${teams - 1} end`
  const moment = (n: string, count: number) => `now() - interval '80 days' * (1 - ${n}::double precision / ${count})`
  return {
    teams: `insert into teams (id, name) select ${idOf('team', 'n')}, 'Team ' || n from generate_series(2, ${teams - 1}) as n`,
    accounts: `insert into credit_accounts (id, team_id) select ${idOf('acct', 'n')}, ${idOf('team', 'n')} from generate_series(2, ${teams - 1}) as n`,
    subscriptions: `insert into webhook_subscriptions select (jsonb_populate_record(s, jsonb_build_object('id', ${idOf('hook', 'n')}, 'team_id', ${idOf('team', 'n')}))).*
      from webhook_subscriptions s, generate_series(2, ${teams - 1}) as n where s.id = (select subscription_id from owners where n = 0)`,
    owners: `insert into owners select n, ${idOf('team', 'n')}, ${idOf('acct', 'n')}, null, ${idOf('hook', 'n')} from generate_series(2, ${teams - 1}) as n`,
    generations: `insert into generations (id, owner_id, account_id, key_id, source, state, family_id, model_id, task, output_type, prompt, reference, metadata, price,
        credits_charged, result, failure, created_at, started_at, finished_at)
      select ${idOf('gen', 'g.n')}, o.team_id, case when g.n % 4 < 2 then o.account_id end, case when g.n % 4 < 2 then o.key_id end,
          case when g.n % 4 < 2 then 'rest' else 'editor' end, state, 'bench-image', 'bench-image.plain', 'text-to-image', 'image',
          'a lighthouse at dusk, seen from the sea', case when g.n / 10 % 100 = 77 then 'order-7' end,
          case when g.n / 10 % 100 = 77 then '{"project": "harbour"}'::jsonb else '{}' end, case when g.n % 4 < 2 then 100 else 0 end,
          case when state = 'ready' and g.n % 4 < 2 then 100 when state <> 'running' then 0 end,
          case when state = 'ready' then jsonb_build_object('storageKey', 'results/' || g.n, 'mimeType', 'image/png', 'sizeBytes', 70, 'sha256', '00',
            'width', 1, 'height', 1, 'durationSeconds', null) end,
          case when state = 'failed' then '{"code": "timeout", "reason": "model_timeout"}'::jsonb end,
          at, at, case when state <> 'running' then at + interval '10 seconds' end
        from generate_series(1, ${generations}) as g (n) join owners o on o.n = ${owner('g.n')}
          cross join lateral (select ${moment('g.n', generations)} as at, case when g.n > ${generations} * 299::bigint / 300 and g.n % 4 >= 2 then 'running'
            when g.n % 10 <> 0 and g.n % 17 = 0 then 'failed' when g.n % 10 <> 0 and g.n % 23 = 0 then 'cancelled' else 'ready' end as state) as made`,
    'ledger, grants': `insert into ledger_transactions (account_id, kind, note, idempotency_key) select account_id, 'grant', 'bench', 'history' from owners`,
    'ledger, moves': `insert into ledger_transactions (account_id, generation_id, kind, created_at)
      select account_id, id, kind, at from generations g
        cross join lateral (values ('hold', g.created_at), (case when g.state = 'ready' then 'capture' else 'release' end, g.finished_at)) as m (kind, at)
        where account_id is not null order by at`,
    'ledger, entries': `insert into ledger_entries (transaction_id, bucket, credits) select t.id, bucket, credits from ledger_transactions t
        join (values ('hold', 'available', -100), ('hold', 'held', 100), ('capture', 'held', -100), ('capture', 'spent', 100),
          ('release', 'held', -100), ('release', 'available', 100), ('grant', 'granted', -1000000000), ('grant', 'available', 1000000000)
        ) as e (kind, bucket, credits) using (kind)
        where t.generation_id is not null or t.idempotency_key = 'history'`,
    balances: `update credit_accounts a set balance = sums.available from (
        select account_id, sum(credits) as available from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
          where bucket = 'available' group by 1) as sums where sums.account_id = a.id`,
    usage: `insert into usage_days (account_id, owner_id, day, key_id, family_id, ready, failed, cancelled, charged)
      select account_id, owner_id, utc_day(finished_at), key_id, family_id, count(*) filter (where state = 'ready'),
          count(*) filter (where state = 'failed'), count(*) filter (where state = 'cancelled'), sum(credits_charged)
        from generations where finished_at is not null and account_id is not null group by 1, 2, 3, 4, 5`,
    files: `insert into files (id, owner_id, used, state, type, mime_type, size_bytes, width, height, storage_key, sha256, created_at, expires_at)
      select ${idOf('file', 'f.n')}, o.team_id, true, 'ready', 'image', 'image/png', 70, 1, 1, 'files/' || f.n, '00', at,
          now() + case when f.n % 10 = 9 then interval '-1 day' else interval '20 days' end
        from generate_series(1, ${files}) as f (n) join owners o on o.n = ${owner('f.n')} cross join lateral (select ${moment('f.n', files)} as at) as made`,
    deliveries: `insert into webhook_deliveries (id, subscription_id, event_number, event, body, created_at, state, attempts, response_code)
      select ${idOf('evt', 'd.n')}, o.subscription_id, row_number() over (partition by o.n order by d.n), 'generation.completed',
          convert_to(jsonb_build_object('data', jsonb_build_object('generation', jsonb_build_object('generationId', ${idOf('gen', 'd.n')}, 'prompt', repeat('x', 500))))::text, 'UTF8'), ${moment('d.n', deliveries)} + interval '55 days' * (1 - d.n::double precision / ${deliveries}),
          case when d.n % 20 = 3 then 'failed' else 'delivered' end, 1, case when d.n % 20 = 3 then 500 else 204 end
        from generate_series(1, ${deliveries}) as d (n) join owners o on o.n = ${owner('d.n')}`,
    'event numbers': `update webhook_subscriptions s set last_event_number = newest from (
        select subscription_id, max(event_number) as newest from webhook_deliveries group by 1) as d where d.subscription_id = s.id`,
    'audit log': `insert into audit_entries (at, team_id, actor_kind, actor_id, action, subject_id)
      select ${moment('a.n', auditEntries)}, o.team_id, 'person', ${idOf('user', 'o.n')},
          case when a.n % 1000 = 0 then 'member.removed' when a.n % 3 = 0 then 'webhook.updated' else 'key.updated' end,
          ${idOf('key', 'o.n * 50 + a.n / 10 % 50')}
        from generate_series(1, ${auditEntries}) as a (n) join owners o on o.n = ${owner('a.n')} order by 1`,
    statistics: 'analyze',
  }
}
