import type { Client } from 'undici'
import type { CheckedUrl } from './checkUrl.ts'
import type { PinnedConnection } from './pinnedConnection.ts'

/** A connection with its undici client. `trust`: the certificates that it was checked against, empty for the system's. */
export type PooledConnection = { origin: string; trust: string; connection: PinnedConnection; client: Client }

/** Keeps connections open after a complete response, so that a burst to one receiver reuses them. */
export type ConnectionPool = {
  /** Takes an idle connection to one of the target's checked addresses. The caller then owns it. */
  take(target: CheckedUrl, trust: string): PooledConnection | undefined
  /** Returns a connection to the pool, or closes it when the pool is full. */
  keep(entry: PooledConnection): void
  /** Closes idle connections, and later each connection that is returned. */
  close(): void
}

/** Keeps up to `max` idle connections, each for `idleMilliseconds`: shorter than receivers do, so that few are closed on reuse. */
export function makeConnectionPool({ max, idleMilliseconds }: { max: number; idleMilliseconds: number }): ConnectionPool {
  const idle = new Map<PooledConnection, NodeJS.Timeout>()
  const byOrigin = new Map<string, Set<PooledConnection>>()
  let closed = false

  function remove(entry: PooledConnection): void {
    clearTimeout(idle.get(entry))
    idle.delete(entry)
    const entries = byOrigin.get(entry.origin)
    entries?.delete(entry)
    if (entries?.size === 0) byOrigin.delete(entry.origin)
  }

  function drop(entry: PooledConnection): void {
    remove(entry)
    closeConnection(entry)
  }

  return {
    take({ url, addresses }, trust) {
      for (const entry of byOrigin.get(url.origin) ?? []) {
        const address = entry.connection.openTo()
        if (address === undefined) drop(entry)
        else if (entry.trust === trust && addresses.includes(address)) {
          remove(entry)
          return entry
        }
      }
      return undefined
    },
    keep(entry) {
      if (closed || idle.size >= max || entry.connection.openTo() === undefined) return closeConnection(entry)
      idle.set(entry, setTimeout(drop, idleMilliseconds, entry).unref())
      const entries = byOrigin.get(entry.origin)
      if (entries) entries.add(entry)
      else byOrigin.set(entry.origin, new Set([entry]))
    },
    close() {
      closed = true
      for (const entry of idle.keys()) drop(entry)
    },
  }
}

export function closeConnection({ connection, client }: PooledConnection): void {
  connection.close()
  client.destroy().catch(() => {})
}
