import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { finished } from 'node:stream'

export type ConnectionLimits = {
  /** Open connections of one listener: the highest number of waiting requests in a load test, and some more. */
  total: number
  /** Connections of one client without a request in progress: before the headers of a request, or after the response. */
  idlePerClient: number
  /** The same for all clients. Each connection may hold endless headers, which use as much memory as a request. */
  idleTotal: number
}

export type Clients = {
  /** The client that a connection from this address belongs to. */
  of(address: string | undefined): string
  isTrustedProxy(address: string): boolean
}

export const defaultConnectionLimits: ConnectionLimits = { total: 12_000, idlePerClient: 1000, idleTotal: 4000 }

export type Connections = {
  /**
   * Closes each connection as soon as it has no request in progress, at the end of the listener. Node keeps connections that have sent no
   * request yet, and those whose last response had already started; then the listener would never close.
   */
  closeWhenIdle(): void
}

type Connection = { client: string; requests: number }

/**
 * Limits the connections of a listener. A connection over the limit closes the longest idle one, of the same client or of all clients, so
 * that unused connections and endless headers do not block others. If none is idle, the new connection is closed. A trusted proxy carries
 * many clients, so only the limits of the listener apply to it.
 */
export function limitConnections(server: Server, clients: Clients, limits: ConnectionLimits): Connections {
  const open = new Map<Socket, Connection>()
  // The longest idle first.
  const idle = new Set<Socket>()
  const idleOf = new Map<string, Set<Socket>>()
  let isClosing = false

  const markIdle = (socket: Socket, { client }: Connection) => {
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
    // It closes in a later turn of the event loop; until then it must not be chosen again.
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
    markIdle(socket, connection)
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
      markIdle(socket, connection)
      if (idle.size > limits.idleTotal) closeOldest(idle)
      // A request that is still arriving was answered early. Closing now would lose the response.
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
