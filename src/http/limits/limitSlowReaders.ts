import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Timeouts } from '../listener.ts'

type ReaderLimits = {
  /** Least rate of a reading client, averaged over `windowMs`, while there are bytes to read. */
  bytesPerSecondMin: number
  /** Long enough for the buffers of the system, which fill and empty in bursts. */
  windowMs: number
  /** Unsent bytes of responses in memory for one client. */
  unsentPerClient: number
  /** The same for all clients. */
  unsentTotal: number
  checkIntervalMs: number
}

const mebibyte = 1024 * 1024
/** A check every second would be too late for long responses. */
const checkIntervalMsMax = 200

/** The least rate is the same as for request bodies. The total of unsent bytes leaves room for the rest of the process in 1 GiB. */
export function readerLimits({ silenceMs: windowMs, checkIntervalMs }: Pick<Timeouts, 'silenceMs' | 'checkIntervalMs'>): ReaderLimits {
  const unsent = { unsentPerClient: 64 * mebibyte, unsentTotal: 128 * mebibyte }
  return { bytesPerSecondMin: 1024, windowMs, ...unsent, checkIntervalMs: Math.min(checkIntervalMs, checkIntervalMsMax) }
}

/** `pendingBytes` were unsent at `since`, after `takenBytes` had been sent. */
type Backlog = { since: number; pendingBytes: number; takenBytes: number }
type Reader = { socket: Socket; backlog: Backlog | undefined; clientOf(): string }

type Waiting = { bytes: number; readers: Reader[] }

type Readers = {
  /** Watches the connection of a request until the response ends. */
  watch(request: FastifyRequest, reply: FastifyReply): void
  stop(): void
}

/**
 * Closes connections whose responses are read too slowly. When one client has too many unsent bytes, closes its slowest connections; when
 * all clients together do, those of the client with the most. Only bytes that the system has not accepted yet count, so a long wait or a
 * quiet event stream is never too slow.
 */
export function limitSlowReaders(limits: ReaderLimits, addressOf: (request: FastifyRequest) => string): Readers {
  const readers = new Map<Socket, Reader>()

  const check = (): void => {
    const now = performance.now()
    const unsent = new Map<string, Waiting>()
    for (const reader of readers.values()) {
      const { socket } = reader
      if (socket.writableLength === 0 || socket.destroyed) {
        reader.backlog = undefined
        continue
      }
      reader.backlog = backlogOf(reader, now)
      if (isOverdue(reader.backlog, now, limits)) {
        socket.destroy()
        continue
      }
      const client = reader.clientOf()
      const waiting = unsent.get(client) ?? { bytes: 0, readers: [] }
      waiting.bytes += socket.writableLength
      waiting.readers.push(reader)
      unsent.set(client, waiting)
    }
    const clients = [...unsent.values()]
    for (const waiting of clients) while (waiting.bytes > limits.unsentPerClient) closeSlowest(waiting)
    while (sumOf(clients) > limits.unsentTotal) closeSlowest(clients.reduce((most, each) => (each.bytes > most.bytes ? each : most)))
  }
  const timer = setInterval(check, limits.checkIntervalMs).unref()

  return {
    watch(request, { raw }) {
      const { socket } = request.raw
      // A request that did not come from a socket has no reader.
      if (!(socket instanceof Socket)) return
      // A connection has one response at a time. The next pipelined request begins while this response closes, so it may be watched already.
      const reader = { socket, backlog: undefined, clientOf: () => addressOf(request) }
      readers.set(socket, reader)
      raw.once('close', () => readers.get(socket) === reader && readers.delete(socket))
    },
    stop: () => clearInterval(timer),
  }
}

/** A backlog lasts until all bytes that were unsent at its start have been sent. */
function backlogOf({ socket, backlog }: Reader, now: number): Backlog {
  const takenBytes = socket.bytesWritten - socket.writableLength
  if (backlog && takenBytes - backlog.takenBytes < backlog.pendingBytes) return backlog
  return { since: now, pendingBytes: socket.writableLength, takenBytes }
}

/** A chunk counts as sent at its last byte, so a large chunk gets the time of the least rate. */
function isOverdue({ since, pendingBytes }: Backlog, now: number, { windowMs, bytesPerSecondMin }: ReaderLimits): boolean {
  return now - since > Math.max(windowMs, (pendingBytes / bytesPerSecondMin) * 1000)
}

function sumOf(clients: Waiting[]): number {
  return clients.reduce((sum, { bytes }) => sum + bytes, 0)
}

function closeSlowest(waiting: Waiting): void {
  const slowest = waiting.readers.reduce((one, other) => ((other.backlog?.since ?? 0) < (one.backlog?.since ?? 0) ? other : one))
  waiting.bytes -= slowest.socket.writableLength
  waiting.readers = waiting.readers.filter((each) => each !== slowest)
  slowest.socket.destroy()
}
