import type { Pool } from 'pg'
import { makeBatchLoop } from '../concurrency/batchLoop.ts'
import { newJobsChannel, pollForJobs } from '../database/queue/queuePool.ts'
import { untraced } from '../tracing/tracing.ts'
import type { Context } from './context.ts'
import type { noticeChannels } from './notices.ts'
import { bindSql, statement } from './sql.ts'

type Notice = { channel: (typeof noticeChannels)[number] | typeof newJobsChannel; id: string }
type Sender = { add(notice: Notice, delayMs: number): void }

const notifyAll = statement<never>(
  'send_notices',
  'select pg_notify(channel, id) from unnest($1::text[], $2::text[]) as notice (channel, id)',
)

/** A notice of a step waits for this time for others, to share a statement. A notice of an end does not wait, and takes them along. */
const stepDelayMs = 100
/** The same for starts, whose runners are mostly in other processes. */
const startDelayMs = 5
/** Under load, a process sends notices at most this often. */
const gapMs = 25

/**
 * For the FROM clause of a statement: its transaction sends no notice of the jobs that the SQL functions `jobs_…` queue afterwards. Its caller
 * calls {@link sendJobNotice} after the commit. Processes of the previous release send the notice with the commit.
 */
export const deferJobNotices = `set_config('atelier.job_notices', 'deferred', true)`

const senders = new WeakMap<Pool, Sender>()

/**
 * Notifies all processes of a change that was committed without a notice: every commit with a notice waits in turn for a lock of the whole
 * server and wakes a session of every process, so the notices of this process share one. Readers find a change within seconds when its
 * notice is lost. A notice of progress may wait for {@link stepDelayMs}.
 */
export function sendNotice({ pool, log }: Pick<Context, 'pool' | 'log'>, channel: (typeof noticeChannels)[number], id: string): void {
  senderOf(pool, log).add({ channel, id }, channel === 'progress' ? stepDelayMs : 0)
}

/**
 * Notifies the runners of all processes of new jobs that were committed without a notice: those of this process at once, the others within
 * {@link stepDelayMs}. Without a notice they find the jobs within two seconds.
 */
export function sendJobNotice({ pool, log }: Pick<Context, 'pool' | 'log'>, delayMs = stepDelayMs): void {
  pollForJobs(pool)
  senderOf(pool, log).add({ channel: newJobsChannel, id: '' }, delayMs)
}

/** The same for starts, within {@link startDelayMs}. */
export function sendStartNotice(context: Pick<Context, 'pool' | 'log'>): void {
  sendJobNotice(context, startDelayMs)
}

function senderOf(pool: Pool, log: Context['log']): Sender {
  let sender = senders.get(pool)
  if (!sender) {
    sender = makeSender(pool, log)
    senders.set(pool, sender)
  }
  return sender
}

function makeSender(pool: Pool, log: Context['log']): Sender {
  const sql = bindSql(pool)
  const waiting = new Map<string, Notice>()
  let sentAt = Number.NEGATIVE_INFINITY
  const loop = makeBatchLoop(async () => {
    sentAt = performance.now()
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
    add(notice, delayMs) {
      waiting.set(`${notice.channel} ${notice.id}`, notice)
      const inMs = Math.max(delayMs, sentAt + gapMs - performance.now())
      untraced(() => (inMs <= 0 ? loop.soon() : loop.within(inMs)))
    },
  }
}
