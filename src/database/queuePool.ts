import { EventEmitter } from 'node:events'
import pg from 'pg'
import { type DueSince, makeDueSince, takingSince } from './dueSince.ts'
import { openJobLookout } from './jobLookout.ts'
import type { Log } from './log.ts'
import { sessionOptions } from './pool.ts'

const connectMilliseconds = 5_000
const usualBeatSeconds = 5
const newJobs = 'jobs:insert'
const listenToJobs = `listen "${newJobs}"; listen "worker:migrate"`

type Connected = (error: Error | undefined, client?: pg.PoolClient, release?: () => void) => void

/**
 * The pool as the job queue wants it. Each of its runners keeps a connection on which it listens, which it asks for with a callback: all
 * of a process share one here, over `directUrl`, since listening means nothing behind a pooler in transaction mode, and since runners
 * would take connections from one another's jobs. A break is told to each, which then asks anew. A runner hears of jobs of its own tasks
 * alone, and when they are due: see {@link openJobLookout}. Jobs are taken from where they may be due, see {@link takingSince}.
 */
export function openQueuePool(
  pool: pg.Pool,
  { directUrl, log, beatSeconds = usualBeatSeconds }: { directUrl: string; log: Log; beatSeconds?: number },
): { poolFor(tasks: readonly string[]): pg.Pool; close(): Promise<void> } {
  const since = makeDueSince()
  const ear = sharedEar(pool, { directUrl, log, since, beatMilliseconds: beatSeconds * 1_000 })
  const poolFor = (tasks: readonly string[]): pg.Pool => {
    const taking = async () => takingSince(await pool.connect(), () => since.of(tasks))
    const connect = (callback?: Connected) => (callback ? void ear.lend(tasks, callback) : taking())
    return Object.create(pool, { connect: { value: connect }, query: { value: pool.query.bind(pool) } })
  }
  return { poolFor, close: ear.close }
}

type SharedEarOptions = { directUrl: string; log: Log; since: DueSince; beatMilliseconds: number }

/** One connection that listens for all runners of a process; each gets what looks to it like a client of its own. */
function sharedEar(pool: pg.Pool, { directUrl, log, since, beatMilliseconds }: SharedEarOptions) {
  const borrowers = new Map<EventEmitter, readonly string[]>()
  let opening: Promise<pg.Client> | undefined

  function lose(error: Error): void {
    const told = [...borrowers.keys()]
    borrowers.clear()
    opening = undefined
    if (told.length > 0) log.warn({ reason: error.message }, 'the connection that hears of new jobs broke')
    for (const borrower of told) borrower.emit('error', error)
  }

  const lookout = openJobLookout(pool, {
    since,
    tasks: () => [...borrowers.values()].flat(),
    tell: (due) => {
      for (const [borrower, tasks] of borrowers) {
        const count = tasks.reduce((sum, task) => sum + (due.get(task) ?? 0), 0)
        if (count > 0) borrower.emit('notification', { channel: newJobs, payload: JSON.stringify({ count }) })
      }
    },
  })
  const tell = (notice: pg.Notification) => {
    if (notice.channel === newJobs) lookout.hear()
    else for (const borrower of borrowers.keys()) borrower.emit('notification', notice)
  }

  async function lend(tasks: readonly string[], callback: Connected): Promise<void> {
    const borrower = Object.assign(new EventEmitter(), { query: async () => undefined })
    // Once it is given back nobody of the queue hears its errors.
    borrower.on('error', () => undefined)
    try {
      await (opening ??= openEar(directUrl, { beatMilliseconds, tell, lose }))
    } catch (error) {
      opening = undefined
      return callback(error as Error)
    }
    borrowers.set(borrower, tasks)
    lookout.hear()
    callback(undefined, borrower as unknown as pg.PoolClient, () => borrowers.delete(borrower))
  }

  return {
    lend,
    async close(): Promise<void> {
      borrowers.clear()
      lookout.close()
      const client = await opening?.catch(() => undefined)
      opening = undefined
      await client?.end().catch(() => undefined)
    },
  }
}

type Ear = { beatMilliseconds: number; tell(notice: pg.Notification): void; lose(error: Error): void }

/** Listens, and is asked for a sign of life; one that was opened says once that it is lost. */
async function openEar(connectionString: string, { beatMilliseconds, tell, lose }: Ear): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: connectMilliseconds,
    query_timeout: beatMilliseconds,
    keepAlive: true,
    application_name: 'atelier jobs',
    options: sessionOptions,
  })
  let isInUse = false
  const ask = () => void (isInUse && client.query('select 1').catch(end))
  // Who only listens would not hear for hours that the other end has gone without a word.
  const beating = setInterval(ask, beatMilliseconds).unref()
  function end(error: Error): void {
    clearInterval(beating)
    client.connection.stream.destroy()
    // One that was never lent, or whose end is heard twice, says nothing of the one that stands now.
    if (isInUse) lose(error)
    isInUse = false
  }
  client.on('error', end)
  client.on('end', () => end(new Error('it was closed')))
  client.on('notification', tell)
  try {
    await client.connect()
    await client.query(listenToJobs)
  } catch (error) {
    end(error as Error)
    throw error
  }
  isInUse = true
  return client
}
