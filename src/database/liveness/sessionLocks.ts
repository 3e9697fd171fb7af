import pg from 'pg'
import { makeBatcher } from '../../concurrency/batcher.ts'
import type { Log } from '../log.ts'
import { sessionOptions } from '../pool/pool.ts'

/** Locks of this process. PostgreSQL releases them when their connection ends, also if the process is killed. */
export type SessionLocks = {
  /** Takes a lock; false if another process holds it. Must not be called for a lock that this process holds. Rejects during an outage. */
  take(name: string): Promise<boolean>
  /** Whether this process holds the lock; false once its connection is lost. */
  holds(name: string): boolean
  release(name: string): void
  close(): Promise<void>
}

/** The name of a lock to take, or a call that only releases. */
type Exchange = string | typeof releaseOnly
const releaseOnly = Symbol('release only')

const queryTimeoutMilliseconds = 5_000
const namesAtOnce = 500

const takeAll = `select name, pg_try_advisory_lock(hashtextextended(name, 0)) as taken from unnest($1::text[]) as name`
const releaseAll = `select pg_advisory_unlock(hashtextextended(name, 0)) from unnest($1::text[]) as name`

/** The application name of the connection with the locks of a process, by which other processes can end it. */
export function sessionNameOf(processId: string): string {
  return `atelier locks ${processId}`
}

/**
 * Takes and releases advisory locks of one session, in batches. Needs a direct connection, which is opened for the first lock and reopened
 * after it broke; a broken connection loses all its locks.
 */
export function openSessionLocks(url: string, { processId, log }: { processId: string; log: Log }): SessionLocks {
  let session: { client: pg.Client; held: Set<string> } | undefined
  let released: string[] = []
  let closed = false

  function handleLost(client: pg.Client, reason: string): void {
    if (session?.client !== client) return
    if (!closed) log.warn({ reason, locks: session.held.size }, 'the connection with the locks broke')
    session = undefined
    client.connection.stream.destroy()
  }

  async function connected(): Promise<NonNullable<typeof session>> {
    if (session) return session
    const client = await connect(url, { name: sessionNameOf(processId), onLost: handleLost })
    session = { client, held: new Set() }
    released = []
    return session
  }

  async function takeOn({ client, held }: NonNullable<typeof session>, names: string[]): Promise<Set<string>> {
    if (names.length === 0) return new Set()
    const { rows } = await client.query<{ name: string; taken: boolean }>({ name: 'take_locks', text: takeAll, values: [names] })
    const taken = new Set(rows.filter((row) => row.taken).map(({ name }) => name))
    for (const name of taken) held.add(name)
    return taken
  }

  /** Releases what has been released since, and takes the locks that are asked for. One call at a time, since a connection runs one query. */
  const exchange = makeBatcher<Exchange, boolean>(
    async (asked) => {
      const names = asked.flatMap((each) => (each === releaseOnly ? [] : [each]))
      const current = names.length > 0 ? await connected() : session
      if (!current) return asked.map(() => true)
      try {
        const gone = released.splice(0)
        if (gone.length > 0) await current.client.query({ name: 'release_locks', text: releaseAll, values: [gone] })
        const taken = await takeOn(current, names)
        return asked.map((each) => each === releaseOnly || taken.has(each))
      } catch (error) {
        handleLost(current.client, String(error))
        throw error
      }
    },
    { atOnceMax: namesAtOnce, isShared: () => true },
  )

  return {
    take: exchange,
    holds: (name) => session?.held.has(name) ?? false,
    release(name) {
      if (!session?.held.delete(name)) return
      released.push(name)
      // A failure has ended the session, and with it the lock.
      exchange(releaseOnly).catch(() => undefined)
    },
    async close() {
      closed = true
      const client = session?.client
      session = undefined
      await client?.end().catch(() => undefined)
    },
  }
}

async function connect(
  url: string,
  { name, onLost }: { name: string; onLost(client: pg.Client, reason: string): void },
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: queryTimeoutMilliseconds,
    query_timeout: queryTimeoutMilliseconds,
    keepAlive: true,
    application_name: name,
    options: sessionOptions,
  })
  client.on('error', (error) => onLost(client, error.message))
  client.on('end', () => onLost(client, 'closed'))
  try {
    await client.connect()
    return client
  } catch (error) {
    client.connection.stream.destroy()
    throw error
  }
}
