import type { RefusalCode } from '../../../contract/refusals/refusals.ts'
import type { Services } from '../../context.ts'
import { bindSql, statement } from '../../sql.ts'

const add = statement<never>(
  'add_key_refusals',
  `insert into key_refusals (key_id, day, code, count, last_at)
     select g.key_id, utc_day(present()), g.code, g.count, present()
       from unnest($1::text[], $2::text[], $3::bigint[]) as g (key_id, code, count) order by g.key_id, g.code
   on conflict (key_id, day, code) do update set count = key_refusals.count + excluded.count, last_at = excluded.last_at`,
)

const flushMs = 5000
/** Counted pairs of key and code at once. Further pairs are not counted until the next flush. */
const pairsMax = 10_000

export type KeyRefusalRecorder = {
  /** Counts a refused request of a known key. */
  record(keyId: string, code: RefusalCode): void
  /** Writes what was counted. */
  flush(): Promise<void>
}

/**
 * Counts refused requests of keys in memory, and writes them in one statement every few seconds. Requests do not wait for it. The counts of
 * a failed write are lost, because they only inform.
 */
export function makeKeyRefusalRecorder(services: Pick<Services, 'pool' | 'log'>): KeyRefusalRecorder {
  const sql = bindSql(services.pool)
  let counts = new Map<string, number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    if (counts.size === 0) return
    const counted = [...counts].map(([pair, count]) => [...pair.split(' '), count] as [string, string, number])
    counts = new Map()
    const columns = [0, 1, 2].map((column) => counted.map((row) => row[column]))
    await sql.all(add, columns).catch((error: unknown) => services.log.debug({ error }, 'refusals of keys were not counted'))
  }
  return {
    record(keyId, code) {
      const pair = `${keyId} ${code}`
      if (counts.size >= pairsMax && !counts.has(pair)) return
      counts.set(pair, (counts.get(pair) ?? 0) + 1)
      timer ??= setTimeout(() => void flush(), flushMs).unref()
    },
    flush,
  }
}
