import type { Services } from '../../context.ts'
import { bindSql, statement } from '../../sql.ts'

const touch = statement<never>(
  'touch_key',
  'update api_keys set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at < $2)',
)

const pauseMs = 60_000

/** Updates `last_used_at` at most once a minute for each key. The request does not wait for it. */
export function makeKeyUseRecorder(services: Pick<Services, 'pool' | 'clock' | 'log'>): (keyId: string) => void {
  const recordedAt = new Map<string, number>()
  const sql = bindSql(services.pool)
  return (keyId) => {
    const now = services.clock.now()
    if (now.getTime() - (recordedAt.get(keyId) ?? Number.NEGATIVE_INFINITY) < pauseMs) return
    if (recordedAt.size > 10_000) recordedAt.clear()
    recordedAt.set(keyId, now.getTime())
    sql.all(touch, [keyId, now]).catch((error: unknown) => services.log.debug({ keyId, error }, 'last_used_at of a key was not updated'))
  }
}
