import { EventEmitter } from 'node:events'
import pg from 'pg'
import type { Log } from '../log.ts'
import { sessionOptions } from '../pool/pool.ts'
import { openDueJobPoller } from './dueJobPoller.ts'
import { type DueWatermarks, makeDueWatermarks, withDueWatermarks } from './dueWatermarks.ts'

const connectTimeoutMilliseconds = 5_000
const defaultHeartbeatSeconds = 5
const newJobs = 'jobs:insert'
const listenToJobs = `listen "${newJobs}"; listen "worker:migrate"`

type Connected = (error: Error | undefined, client?: pg.PoolClient, release?: () => void) => void

/**
 * The pool as the job queue wants it. Each of its runners keeps a connection on which it listens, which it asks for with a callback: all
 * of a process share one here, over `directUrl`, since listening means nothing behind a pooler in transaction mode, and since runners
 * would take connections from one another's jobs. A break is told to each, which then asks anew. A runner hears of jobs of its own tasks
 * alone, and when they are due: see {@link openDueJobPoller}. Jobs are taken from where they may be due, see {@link withDueWatermarks}.
 */
export function openQueuePool(
  pool: pg.Pool,
  { directUrl, log, heartbeatSeconds = defaultHeartbeatSeconds }: { directUrl: string; log: Log; heartbeatSeconds?: number },
): { poolFor(tasks: readonly string[]): pg.Pool; close(): Promise<void> } {
  const since = makeDueWatermarks()
  const listener = sharedListener(pool, { directUrl, log, since, heartbeatMilliseconds: heartbeatSeconds * 1_000 })
  const poolFor = (tasks: readonly string[]): pg.Pool => {
    const taking = async () => withDueWatermarks(await pool.connect(), () => since.of(tasks))
    const connect = (callback?: Connected) => (callback ? void listener.attach(tasks, callback) : taking())
    return Object.create(pool, { connect: { value: connect }, query: { value: pool.query.bind(pool) } })
  }
  return { poolFor, close: listener.close }
}

type SharedListenerOptions = { directUrl: string; log: Log; since: DueWatermarks; heartbeatMilliseconds: number }

/** One connection that listens for all runners of a process; each gets what looks to it like a client of its own. */
function sharedListener(pool: pg.Pool, { directUrl, log, since, heartbeatMilliseconds }: SharedListenerOptions) {
  const subscribers = new Map<EventEmitter, readonly string[]>()
  let opening: Promise<pg.Client> | undefined

  function handleLost(error: Error): void {
    const told = [...subscribers.keys()]
    subscribers.clear()
    opening = undefined
    if (told.length > 0) log.warn({ reason: error.message }, 'the connection that hears of new jobs broke')
    for (const subscriber of told) subscriber.emit('error', error)
  }

  const lookout = openDueJobPoller(pool, {
    since,
    tasks: () => [...subscribers.values()].flat(),
    notify: (due) => {
      for (const [subscriber, tasks] of subscribers) {
        const count = tasks.reduce((sum, task) => sum + (due.get(task) ?? 0), 0)
        if (count > 0) subscriber.emit('notification', { channel: newJobs, payload: JSON.stringify({ count }) })
      }
    },
  })
  const notify = (notice: pg.Notification) => {
    if (notice.channel === newJobs) lookout.trigger()
    else for (const subscriber of subscribers.keys()) subscriber.emit('notification', notice)
  }

  async function attach(tasks: readonly string[], callback: Connected): Promise<void> {
    const subscriber = Object.assign(new EventEmitter(), { query: async () => undefined })
    // Once it is given back nobody of the queue hears its errors.
    subscriber.on('error', () => undefined)
    try {
      await (opening ??= connectListener(directUrl, { heartbeatMilliseconds, notify, handleLost }))
    } catch (error) {
      opening = undefined
      return callback(error as Error)
    }
    subscribers.set(subscriber, tasks)
    lookout.trigger()
    callback(undefined, subscriber as unknown as pg.PoolClient, () => subscribers.delete(subscriber))
  }

  return {
    attach,
    async close(): Promise<void> {
      subscribers.clear()
      lookout.close()
      const client = await opening?.catch(() => undefined)
      opening = undefined
      await client?.end().catch(() => undefined)
    },
  }
}

type ListenerConnectionOptions = { heartbeatMilliseconds: number; notify(notice: pg.Notification): void; handleLost(error: Error): void }

/** Listens, and is asked for a sign of life; one that was opened says once that it is lost. */
async function connectListener(
  connectionString: string,
  { heartbeatMilliseconds, notify, handleLost }: ListenerConnectionOptions,
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: connectTimeoutMilliseconds,
    query_timeout: heartbeatMilliseconds,
    keepAlive: true,
    application_name: 'atelier jobs',
    options: sessionOptions,
  })
  let isInUse = false
  const ask = () => void (isInUse && client.query('select 1').catch(end))
  // Who only listens would not hear for hours that the other end has gone without a word.
  const beating = setInterval(ask, heartbeatMilliseconds).unref()
  function end(error: Error): void {
    clearInterval(beating)
    client.connection.stream.destroy()
    // One that was never lent, or whose end is heard twice, says nothing of the one that stands now.
    if (isInUse) handleLost(error)
    isInUse = false
  }
  client.on('error', end)
  client.on('end', () => end(new Error('it was closed')))
  client.on('notification', notify)
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
