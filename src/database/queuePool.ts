import { EventEmitter } from 'node:events'
import pg from 'pg'
import type { Log } from './log.ts'
import { sessionOptions } from './pool.ts'

const connectMilliseconds = 5_000
const listenToJobs = 'listen "jobs:insert"; listen "worker:migrate"'

type Connected = (error: Error | undefined, client?: pg.PoolClient, release?: () => void) => void

/**
 * The pool as the job queue wants it. Each of its runners keeps a connection on which it listens, which it asks for with a callback: all
 * of a process share one here, over `directUrl`, since listening means nothing behind a pooler in transaction mode, and since runners
 * would take connections from one another's jobs. A break is told to each, which then asks anew.
 */
export function openQueuePool(
  pool: pg.Pool,
  { directUrl, log }: { directUrl: string; log: Log },
): { pool: pg.Pool; close(): Promise<void> } {
  const ear = sharedEar(directUrl, log)
  const connect = (callback?: Connected) => (callback ? void ear.lend(callback) : pool.connect())
  const queuePool: pg.Pool = Object.create(pool, {
    connect: { value: connect },
    query: { value: pool.query.bind(pool) },
  })
  return { pool: queuePool, close: ear.close }
}

/** One connection that listens for all runners of a process; each gets what looks to it like a client of its own. */
function sharedEar(connectionString: string, log: Log) {
  const borrowers = new Set<EventEmitter>()
  let opening: Promise<pg.Client> | undefined

  function lose(client: pg.Client, error: Error): void {
    client.connection.stream.destroy()
    const told = [...borrowers]
    borrowers.clear()
    opening = undefined
    if (told.length > 0) log.warn({ reason: error.message }, 'the connection that hears of new jobs broke')
    for (const borrower of told) borrower.emit('error', error)
  }

  async function open(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: connectMilliseconds,
      keepAlive: true,
      application_name: 'atelier jobs',
      options: sessionOptions,
    })
    let lost = false
    const loseOnce = (error: Error) => {
      if (!lost) lose(client, error)
      lost = true
    }
    client.on('error', loseOnce)
    client.on('end', () => loseOnce(new Error('it was closed')))
    client.on('notification', (message) => borrowers.forEach((borrower) => borrower.emit('notification', message)))
    await client.connect()
    await client.query(listenToJobs)
    return client
  }

  async function lend(callback: Connected): Promise<void> {
    const borrower = Object.assign(new EventEmitter(), { query: async () => undefined })
    // Once it is given back nobody of the queue hears its errors.
    borrower.on('error', () => undefined)
    try {
      await (opening ??= open())
    } catch (error) {
      opening = undefined
      return callback(error as Error)
    }
    borrowers.add(borrower)
    callback(undefined, borrower as unknown as pg.PoolClient, () => borrowers.delete(borrower))
  }

  return {
    lend,
    async close(): Promise<void> {
      borrowers.clear()
      const client = await opening?.catch(() => undefined)
      opening = undefined
      await client?.end().catch(() => undefined)
    },
  }
}
