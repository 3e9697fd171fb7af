import pg from 'pg'
import { newId } from '../../src/contract/ids.ts'

/**
 * The minimal start for comparison: one transaction of three statements, which charges the account and inserts the row and the job. Runs
 * through pg with as many clients as the compared row has connections, over the same teams.
 */
const { BENCH_CLIENTS, BENCH_SECONDS, BENCH_ROWS, DATABASE_URL } = process.env
const rows = JSON.parse(BENCH_ROWS ?? '[]') as { owner_id: string; account_id: string; user_id: string; key_id: string }[]
const clients = Number(BENCH_CLIENTS)
// As many connections as the service uses for requests.
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Math.min(clients, 10) })
const until = performance.now() + Number(BENCH_SECONDS) * 1000
let count = 0

const charge = 'update credit_accounts set balance = balance - 1 where id = $1 and balance - held >= 1'
const insertRow = `insert into generations (id, owner_id, account_id, user_id, key_id, source, state, family_id, model_id, task, output_type,
  prompt, price, created_at) values ($1, $2, $3, $4, $5, 'rest', 'queued', 'bench-image', 'bench-image.plain', 'text-to-image', 'image',
  'a lighthouse', 1, now())`
const insertJob = 'insert into graphile_worker._private_jobs (task_id, payload, key) values ($1, $2, $3)'

const { rows: tasks } = await pool.query<{ id: number }>(
  `insert into graphile_worker._private_tasks (identifier) values ('bench') on conflict (identifier) do update set identifier = 'bench' returning id`,
)

async function client(_: unknown, number: number): Promise<void> {
  const row = rows[number % rows.length]
  while (row && performance.now() < until) {
    const id = newId('gen')
    const connection = await pool.connect()
    await connection.query('begin')
    await connection.query({ name: 'charge', text: charge, values: [row.account_id] })
    await connection.query({ name: 'row', text: insertRow, values: [id, row.owner_id, row.account_id, row.user_id, row.key_id] })
    await connection.query({ name: 'job', text: insertJob, values: [tasks[0]?.id, JSON.stringify({ generationId: id }), `bench:${id}`] })
    await connection.query('commit')
    connection.release()
    count++
  }
}

await Promise.all(Array.from({ length: clients }, client))
await pool.end()
process.send?.(count / Number(BENCH_SECONDS))
process.once('SIGTERM', () => process.exit(0))
