import pg from 'pg'
import { newId } from '../../src/contract/ids.ts'

/** The SQL of a start, driven straight through pg by as many clients as the row beside it has connections. */
const { BENCH_CLIENTS, BENCH_SECONDS, BENCH_ROW, DATABASE_URL } = process.env
const row = JSON.parse(BENCH_ROW ?? '{}') as Record<string, unknown>
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(BENCH_CLIENTS) })
const until = performance.now() + Number(BENCH_SECONDS) * 1000
let count = 0

async function client(): Promise<void> {
  while (performance.now() < until) {
    const values = [JSON.stringify({ ...row, id: newId('gen'), created_at: new Date() }), null]
    await pool.query({ name: 'start', text: 'select start_generation($1::jsonb, $2::jsonb)', values })
    count++
  }
}

await Promise.all(Array.from({ length: Number(BENCH_CLIENTS) }, client))
process.send?.(count / Number(BENCH_SECONDS))
process.once('SIGTERM', () => process.exit(0))
