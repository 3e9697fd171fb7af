import type { Pool } from 'pg'
import { makeBatchLoop } from '../concurrency/batchLoop.ts'
import { untraced } from '../tracing/tracing.ts'
import type { Context } from './context.ts'
import type { noticeChannels } from './notices.ts'
import { bindSql, statement } from './sql.ts'

type Channel = (typeof noticeChannels)[number] | 'jobs:insert'
type Notice = { channel: Channel; id: string }
type Sender = { add(notice: Notice): void }

const notifyAll = statement<never>(
  'send_notices',
  'select pg_notify(channel, id) from unnest($1::text[], $2::text[]) as notice (channel, id)',
)

/** Within this time, several notices share a statement. A notice without a delay takes the others along. */
const delayMs: Partial<Record<Channel, number>> = { progress: 20, 'jobs:insert': 5 }

/**
 * Put into the FROM clause of a statement: its commit sends no notice of the jobs that it queues by the SQL function `jobs_add`. Its caller
 * calls {@link sendJobNotice} after the commit. Processes of the previous release send the notice with the commit.
 */
export const deferJobNotices = `set_config('atelier.job_notices', 'deferred', true)`

const senders = new WeakMap<Pool, Sender>()

/**
 * Notifies all processes of a change that was committed without a notice: every commit with a notice waits in turn for a lock of the whole
 * server, so the notices of this process share one. Readers find a change within seconds when its notice is lost.
 */
export function sendNotice({ pool, log }: Pick<Context, 'pool' | 'log'>, channel: Channel, id: string): void {
  let sender = senders.get(pool)
  if (!sender) {
    sender = makeSender(pool, log)
    senders.set(pool, sender)
  }
  sender.add({ channel, id })
}

/** Tells the runners of all processes, after the commit, that there are new jobs. Without it they find them within two seconds. */
export function sendJobNotice(context: Pick<Context, 'pool' | 'log'>): void {
  sendNotice(context, 'jobs:insert', '')
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
      const delay = delayMs[notice.channel]
      untraced(() => (delay === undefined ? loop.soon() : loop.within(delay)))
    },
  }
}
