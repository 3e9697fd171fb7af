import type { Client } from 'undici'
import type { CheckedUrl } from './checkUrl.ts'
import type { PinnedConnection } from './pinnedConnection.ts'

/** A connection with the client that speaks over it. `trust`: the certificates that it was checked against, empty for the system's. */
export type PooledConnection = { origin: string; trust: string; connection: PinnedConnection; client: Client }

/** Connections that stay open for a while after a whole answer, so that a burst to one receiver need not open one for each request. */
export type ConnectionPool = {
  /** An idle connection to one of the addresses that the target was judged by, just now; the caller owns it from here. */
  take(target: CheckedUrl, trust: string): PooledConnection | undefined
  /** Takes a connection back, or closes it when there are enough. */
  keep(line: PooledConnection): void
  /** Closes what is idle; what comes back later is closed then. */
  close(): void
}

/** Keeps up to `max` idle connections, each for `idleMilliseconds`: shorter than receivers do, so that few are found closed. */
export function makeConnectionPool({ max, idleMilliseconds }: { max: number; idleMilliseconds: number }): ConnectionPool {
  const idle = new Map<PooledConnection, NodeJS.Timeout>()
  const byOrigin = new Map<string, Set<PooledConnection>>()
  let closed = false

  function remove(line: PooledConnection): void {
    clearTimeout(idle.get(line))
    idle.delete(line)
    const lines = byOrigin.get(line.origin)
    lines?.delete(line)
    if (lines?.size === 0) byOrigin.delete(line.origin)
  }

  function drop(line: PooledConnection): void {
    remove(line)
    closeConnection(line)
  }

  return {
    take({ url, addresses }, trust) {
      for (const line of byOrigin.get(url.origin) ?? []) {
        const address = line.connection.openTo()
        if (address === undefined) drop(line)
        else if (line.trust === trust && addresses.includes(address)) {
          remove(line)
          return line
        }
      }
      return undefined
    },
    keep(line) {
      if (closed || idle.size >= max || line.connection.openTo() === undefined) return closeConnection(line)
      idle.set(line, setTimeout(drop, idleMilliseconds, line).unref())
      const lines = byOrigin.get(line.origin)
      if (lines) lines.add(line)
      else byOrigin.set(line.origin, new Set([line]))
    },
    close() {
      closed = true
      for (const line of idle.keys()) drop(line)
    },
  }
}

export function closeConnection({ connection, client }: PooledConnection): void {
  connection.close()
  client.destroy().catch(() => {})
}
