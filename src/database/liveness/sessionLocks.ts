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

  const take = makeBatcher<string, boolean>(
    async (names) => {
      const { client, held } = await connected()
      try {
        const gone = released.splice(0)
        if (gone.length > 0) await client.query({ name: 'release_locks', text: releaseAll, values: [gone] })
        const { rows } = await client.query<{ name: string; taken: boolean }>({ name: 'take_locks', text: takeAll, values: [names] })
        const taken = new Set(rows.filter((row) => row.taken).map(({ name }) => name))
        for (const name of taken) held.add(name)
        return names.map((name) => taken.has(name))
      } catch (error) {
        handleLost(client, String(error))
        throw error
      }
    },
    { atOnceMax: namesAtOnce, isShared: () => true },
  )
  const releaseBatched = makeBatcher<undefined, undefined>(
    async (calls) => {
      const gone = released.splice(0)
      await session?.client.query({ name: 'release_locks', text: releaseAll, values: [gone] })
      return calls
    },
    { atOnceMax: namesAtOnce, isShared: () => true },
  )

  return {
    take,
    holds: (name) => session?.held.has(name) ?? false,
    release(name) {
      if (!session?.held.delete(name)) return
      const { client } = session
      released.push(name)
      releaseBatched(undefined).catch((error: unknown) => handleLost(client, String(error)))
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
