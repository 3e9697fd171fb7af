import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { finished } from 'node:stream'

export type ConnectionLimits = {
  /** Open connections of one listener: the longest waits that it was seen to hold, and some. */
  total: number
  /** Those of one client on which no request is in progress: it has sent no headers yet, or has had its answer. */
  idlePerClient: number
  /** The same of all clients: each may hold headers that never end, which take as much memory as a request. */
  idleTotal: number
}

export type Clients = {
  /** Whom a connection from this address belongs to. */
  of(address: string | undefined): string
  isTrustedProxy(address: string): boolean
}

export const defaultConnectionLimits: ConnectionLimits = { total: 12_000, idlePerClient: 1000, idleTotal: 4000 }

export type Connections = {
  /**
   * Closes each connection as soon as no request is in progress on it, for the end of the listener. By itself Node keeps those that have
   * not asked anything yet, and those whose last answer had begun before, and then the listener never ends.
   */
  closeWhenIdle(): void
}

type Connection = { client: string; requests: number }

/**
 * Holds a listener to its limits of connections. One too many closes the one that has been idle for longest, of the same client or of
 * all; so neither headers that never come nor connections that nobody uses keep others out. Where all are at work, new ones are turned
 * away. A trusted proxy, which speaks for many, is limited with the listener alone.
 */
export function limitConnections(server: Server, clients: Clients, limits: ConnectionLimits): Connections {
  const open = new Map<Socket, Connection>()
  // In the order in which they became idle.
  const idle = new Set<Socket>()
  const idleOf = new Map<string, Set<Socket>>()
  let isClosing = false

  const rest = (socket: Socket, { client }: Connection) => {
    idle.add(socket)
    idleOf.set(client, (idleOf.get(client) ?? new Set()).add(socket))
  }
  const markBusy = (socket: Socket, { client }: Connection) => {
    idle.delete(socket)
    const others = idleOf.get(client)
    others?.delete(socket)
    if (others?.size === 0) idleOf.delete(client)
  }
  const closeOldest = (sockets: Iterable<Socket>) => {
    const [oldest] = sockets
    if (!oldest) return
    const connection = open.get(oldest)
    // It closes in a later turn, and would be the oldest until then.
    if (connection) markBusy(oldest, connection)
    oldest.destroy()
  }

  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    const connection = { client: clients.of(remoteAddress), requests: 0 }
    open.set(socket, connection)
    socket.once('close', () => {
      markBusy(socket, connection)
      open.delete(socket)
    })
    const mine = idleOf.get(connection.client)
    const isProxy = remoteAddress !== undefined && clients.isTrustedProxy(remoteAddress)
    if (mine && mine.size >= limits.idlePerClient && !isProxy) closeOldest(mine)
    else if (open.size > limits.total || idle.size >= limits.idleTotal) closeOldest(idle.size > 0 ? idle : [socket])
    rest(socket, connection)
  })

  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const connection = open.get(socket)
    if (!connection) return
    connection.requests += 1
    markBusy(socket, connection)
    response.once('close', () => {
      connection.requests -= 1
      if (connection.requests > 0 || !open.has(socket) || socket.destroyed) return
      rest(socket, connection)
      if (idle.size > limits.idleTotal) closeOldest(idle)
      // One that is still coming in has been answered early: its client would lose the answer.
      if (isClosing) finished(request, () => socket.destroySoon())
    })
  })

  return {
    closeWhenIdle() {
      isClosing = true
      for (const socket of idle) socket.destroySoon()
    },
  }
}
