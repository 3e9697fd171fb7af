import type { Pool } from 'pg'
import { makeBatchLoop } from '../../../concurrency/batchLoop.ts'
import { limits } from '../../../contract/limits.ts'
import type { Services } from '../../context.ts'
import { bindSql, statement } from '../../sql.ts'

type IssuedLink = { keyId: string; generationId: string }

/** Sorted, so that concurrent processes do not deadlock. */
const write = statement<never>(
  'record_links',
  `insert into result_links as kept (key_id, generation_id, until)
     select distinct key_id, generation_id, present() + $3 * interval '1 hour' from unnest($1::text[], $2::text[]) as held (key_id, generation_id)
       order by 1, 2
     on conflict (key_id, generation_id) do update set until = greatest(kept.until, excluded.until)`,
)

const pauseMs = 200
/** A link that is issued repeatedly is recorded at most once per interval. */
const recordIntervalMs = 600_000
const remembered = 50_000
const waitingMax = 20_000
const atOnceMax = 2_000

const notes = new WeakMap<Pool, (link: IssuedLink) => void>()

/**
 * Records in the background that a key received a link to a result, for the warning before a key is revoked. A record that is lost, with
 * its process or during an outage of the database, only makes the number in that warning too low.
 */
export function recordIssuedLink(services: Pick<Services, 'pool' | 'clock' | 'log'>, link: IssuedLink): void {
  let note = notes.get(services.pool)
  if (!note) notes.set(services.pool, (note = makeLinkRecorder(services)))
  note(link)
}

function makeLinkRecorder({ pool, clock, log }: Pick<Services, 'pool' | 'clock' | 'log'>): (link: IssuedLink) => void {
  const sql = bindSql(pool)
  const recordedAt = new Map<string, number>()
  let waiting: IssuedLink[] = []
  const loop = makeBatchLoop(async () => {
    const batch = waiting.slice(0, atOnceMax)
    waiting = waiting.slice(atOnceMax)
    const columns = [batch.map(({ keyId }) => keyId), batch.map(({ generationId }) => generationId)]
    await sql
      .all(write, [...columns, limits.resultLinkHours])
      .catch((error: unknown) => log.debug({ links: batch.length, error }, 'issued links were not recorded'))
    return waiting.length > 0 ? pauseMs : undefined
  })
  return (link) => {
    const name = `${link.keyId}|${link.generationId}`
    const now = clock.now().getTime()
    if (now - (recordedAt.get(name) ?? Number.NEGATIVE_INFINITY) < recordIntervalMs || waiting.length >= waitingMax) return
    if (recordedAt.size >= remembered) recordedAt.clear()
    recordedAt.set(name, now)
    waiting.push(link)
    loop.within(pauseMs)
  }
}
