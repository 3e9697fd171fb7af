import { EventEmitter } from 'node:events'
import pg from 'pg'
import type { Log } from '../log.ts'
import { sessionOptions } from '../pool/pool.ts'
import { type DueJobPoller, openDueJobPoller } from './dueJobPoller.ts'
import { type DueWatermarks, makeDueWatermarks, withDueWatermarks } from './dueWatermarks.ts'
import { type EmptyFetches, makeEmptyFetches, withEmptyFetches } from './emptyFetches.ts'
import { makeRemovedJobs, type RemovedJobs, withRemovedJobs } from './removedJobs.ts'

const connectTimeoutMilliseconds = 5_000
const defaultHeartbeatSeconds = 5
/** The channel of graphile-worker for new jobs. */
export const newJobsChannel = 'jobs:insert'
const listenToJobs = `listen "${newJobsChannel}"; listen "worker:migrate"`

/** The poller for due jobs of each pool with an open queue. */
const pollers = new WeakMap<pg.Pool, DueJobPoller>()

/** Makes the runners of this process poll for due jobs now, if it has runners on this pool. */
export function pollForJobs(pool: pg.Pool): void {
  pollers.get(pool)?.trigger()
}

/** The same, for a process that knows of no new jobs but can run another one. Without a backlog it does nothing. */
export function pollForBacklog(pool: pg.Pool): void {
  pollers.get(pool)?.resume()
}

type Connected = (error: Error | undefined, client?: pg.PoolClient, release?: () => void) => void

/**
 * Adapts the pool to the job queue. Each runner of graphile-worker takes one connection to LISTEN, by `connect` with a callback. Here all
 * runners of a process share one such connection over `directUrl`: LISTEN does not work behind a pooler in transaction mode, and the runners
 * would occupy connections that jobs need. When the connection breaks, each runner gets an error and connects again. A runner is notified
 * of due jobs of its own tasks only, see {@link openDueJobPoller}. Fetches skip the past, see {@link withDueWatermarks}, and cost nothing
 * while the queue is known to be empty, see {@link withEmptyFetches}.
 */
export function openQueuePool(
  pool: pg.Pool,
  { directUrl, log, removedJobs = makeRemovedJobs(), heartbeatSeconds = defaultHeartbeatSeconds }: QueuePoolOptions,
): { poolFor(tasks: readonly string[]): pg.Pool; close(): Promise<void> } {
  const since = makeDueWatermarks()
  const listener = sharedListener(pool, { directUrl, log, since, heartbeatMilliseconds: heartbeatSeconds * 1_000 })
  const poolFor = (tasks: readonly string[]): pg.Pool => {
    const fetches = makeEmptyFetches()
    const connectToFetch = async () => {
      const client = withDueWatermarks(await pool.connect(), () => since.of(tasks))
      return withRemovedJobs(withEmptyFetches(client, fetches), removedJobs)
    }
    const connect = (callback?: Connected) => (callback ? void listener.attach({ tasks, fetches }, callback) : connectToFetch())
    return Object.create(pool, { connect: { value: connect }, query: { value: pool.query.bind(pool) } })
  }
  pollers.set(pool, listener.poller)
  const close = async () => {
    if (pollers.get(pool) === listener.poller) pollers.delete(pool)
    await listener.close()
  }
  return { poolFor, close }
}

/** `removedJobs`: jobs that the queue must not complete. */
type QueuePoolOptions = { directUrl: string; log: Log; removedJobs?: RemovedJobs; heartbeatSeconds?: number }

/** The tasks of one runner, and what is known of its fetches. */
type Subscription = { tasks: readonly string[]; fetches: EmptyFetches }

type SharedListenerOptions = { directUrl: string; log: Log; since: DueWatermarks; heartbeatMilliseconds: number }

/** Opens one LISTEN connection for all runners of a process. Each runner gets an object with the methods of a client. */
function sharedListener(pool: pg.Pool, { directUrl, log, since, heartbeatMilliseconds }: SharedListenerOptions) {
  const subscribers = new Map<EventEmitter, Subscription>()
  let opening: Promise<pg.Client> | undefined

  function handleLost(error: Error): void {
    const lost = [...subscribers.keys()]
    subscribers.clear()
    opening = undefined
    if (lost.length > 0) log.warn({ reason: error.message }, 'the LISTEN connection for new jobs broke')
    for (const subscriber of lost) subscriber.emit('error', error)
  }

  const poller = openDueJobPoller(pool, {
    since,
    tasks: () => [...subscribers.values()].flatMap(({ tasks }) => tasks),
    notify: (due) => {
      for (const [subscriber, { tasks, fetches }] of subscribers) {
        const count = tasks.reduce((sum, task) => sum + (due.get(task) ?? 0), 0)
        if (count === 0) continue
        fetches.noteDue()
        subscriber.emit('notification', { channel: newJobsChannel, payload: JSON.stringify({ count }) })
      }
    },
  })
  const notify = (notice: pg.Notification) => {
    if (notice.channel === newJobsChannel) poller.trigger()
    else for (const subscriber of subscribers.keys()) subscriber.emit('notification', notice)
  }

  async function attach(subscription: Subscription, callback: Connected): Promise<void> {
    const subscriber = Object.assign(new EventEmitter(), { query: async () => undefined })
    // After the queue released it, an error would have no other handler and would end the process.
    subscriber.on('error', () => undefined)
    try {
      await (opening ??= connectListener(directUrl, { heartbeatMilliseconds, notify, handleLost }))
    } catch (error) {
      opening = undefined
      return callback(error as Error)
    }
    subscribers.set(subscriber, subscription)
    poller.trigger()
    callback(undefined, subscriber as unknown as pg.PoolClient, () => subscribers.delete(subscriber))
  }

  return {
    attach,
    poller,
    async close(): Promise<void> {
      subscribers.clear()
      poller.close()
      const client = await opening?.catch(() => undefined)
      opening = undefined
      await client?.end().catch(() => undefined)
    },
  }
}

type ListenerConnectionOptions = { heartbeatMilliseconds: number; notify(notice: pg.Notification): void; handleLost(error: Error): void }

/** Opens the LISTEN connection and checks it every `heartbeatMilliseconds`. Calls `handleLost` once, if it was opened. */
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
  const check = () => void (isInUse && client.query('select 1').catch(end))
  // Without queries, TCP would report a vanished server after hours only.
  const heartbeat = setInterval(check, heartbeatMilliseconds).unref()
  function end(error: Error): void {
    clearInterval(heartbeat)
    client.connection.stream.destroy()
    // A connection that never opened, or that ends twice, must not affect the current one.
    if (isInUse) handleLost(error)
    isInUse = false
  }
  client.on('error', end)
  client.on('end', () => end(new Error('closed')))
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
