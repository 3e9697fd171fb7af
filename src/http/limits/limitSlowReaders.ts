import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Timeouts } from '../listener.ts'

type ReaderLimits = {
  /** What a client takes in `windowMs` has to be so much for each second, while there is something to take. */
  bytesPerSecondMin: number
  /** Over the buffers of the system, which are filled and emptied in lumps. */
  windowMs: number
  /** Bytes of answers that wait in memory for one client. */
  unsentPerClient: number
  /** The same for all clients. */
  unsentTotal: number
  checkIntervalMs: number
}

const mebibyte = 1024 * 1024
/** Long answers are made faster than a look every second would find them. */
const checkIntervalMsMax = 200

/** The least rate is that of bodies. What all unread answers take leaves room for the rest of the process in 1 GiB. */
export function readerLimits({ silenceMs: windowMs, checkIntervalMs }: Pick<Timeouts, 'silenceMs' | 'checkIntervalMs'>): ReaderLimits {
  const unsent = { unsentPerClient: 64 * mebibyte, unsentTotal: 128 * mebibyte }
  return { bytesPerSecondMin: 1024, windowMs, ...unsent, checkIntervalMs: Math.min(checkIntervalMs, checkIntervalMsMax) }
}

/** `since`: when it was owed `pendingBytes`; `takenBytes`: what it had taken before. */
type Backlog = { since: number; pendingBytes: number; takenBytes: number }
type Reader = { socket: Socket; backlog: Backlog | undefined; clientOf(): string }

type Waiting = { bytes: number; readers: Reader[] }

type Readers = {
  /** Looks after the connection of a request until its answer is done. */
  watch(request: FastifyRequest, reply: FastifyReply): void
  stop(): void
}

/**
 * Closes connections on which answers are read too slowly, and those of a client for whom too much waits to be read, beginning with the
 * slowest; where too much waits for all clients together, those of whoever has the most. Only bytes that the system has not taken yet count, so a long wait or a quiet event stream is never too slow.
 */
export function limitSlowReaders(limits: ReaderLimits, addressOf: (request: FastifyRequest) => string): Readers {
  const readers = new Map<Socket, Reader>()

  const look = (): void => {
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
  const timer = setInterval(look, limits.checkIntervalMs).unref()

  return {
    watch(request, { raw }) {
      const { socket } = request.raw
      // What did not come from a socket has no slow reader.
      if (!(socket instanceof Socket)) return
      // A connection has one answer at a time.
      readers.set(socket, { socket, backlog: undefined, clientOf: () => addressOf(request) })
      raw.once('close', () => readers.delete(socket))
    },
    stop: () => clearInterval(timer),
  }
}

/** The debt goes on until all that was owed when it began has been taken. */
function backlogOf({ socket, backlog }: Reader, now: number): Backlog {
  const takenBytes = socket.bytesWritten - socket.writableLength
  if (backlog && takenBytes - backlog.takenBytes < backlog.pendingBytes) return backlog
  return { since: now, pendingBytes: socket.writableLength, takenBytes }
}

/** A chunk counts as taken when the last of it is: a large one has the time that the least rate gives it. */
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
