import type { Pool } from 'pg'
import { makeBatchLoop } from '../concurrency/batchLoop.ts'
import { untraced } from '../tracing/tracing.ts'
import type { Context } from './context.ts'
import type { noticeChannels } from './notices.ts'
import { bindSql, statement } from './sql.ts'

type Notice = { channel: (typeof noticeChannels)[number]; id: string }
type Sender = { add(notice: Notice): void }

const notifyAll = statement<never>(
  'send_notices',
  'select pg_notify(channel, id) from unnest($1::text[], $2::text[]) as notice (channel, id)',
)

/** Within this time, the notices of several steps of a generation share a statement. A notice of an end takes them along. */
const progressDelayMs = 20

const senders = new WeakMap<Pool, Sender>()

/**
 * Notifies all processes of a change that was committed without a notice: every commit with a notice waits in turn for a lock of the whole
 * server, so the notices of this process share one. Readers find a change within seconds when its notice is lost.
 */
export function sendNotice({ pool, log }: Pick<Context, 'pool' | 'log'>, channel: Notice['channel'], id: string): void {
  let sender = senders.get(pool)
  if (!sender) {
    sender = makeSender(pool, log)
    senders.set(pool, sender)
  }
  sender.add({ channel, id })
}

function makeSender(pool: Pool, log: Context['log']): Sender {
  const sql = bindSql(pool)
  const waiting = new Map<string, Notice>()
  const loop = makeBatchLoop(async () => {
    const notices = [...waiting.values()]
    waiting.clear()
    try {
      await sql.all(notifyAll, [notices.map(({ channel }) => channel), notices.map(({ id }) => id)])
    } catch (error) {
      log.debug({ notices: notices.length, error }, 'notices could not be sent')
    }
    return undefined
  })
  return {
    add(notice) {
      waiting.set(`${notice.channel} ${notice.id}`, notice)
      untraced(() => (notice.channel === 'progress' ? loop.within(progressDelayMs) : loop.soon()))
    },
  }
}
