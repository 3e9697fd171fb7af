import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Counters of an attack. `answers` by status, without interim ones; `closed` are connections closed by the service. */
export type Tally = { connections: number; openMost: number; closed: number; requests: number; answers: Record<string, number> }

/** Raw connections to the service. */
export type Attacker = {
  tally: Tally
  /** Opens a connection from a loopback address, by its number. The caller counts its traffic. */
  connect(address: number): Promise<Socket>
  /** Sends bytes as one request and counts it. Waits for backpressure. */
  send(socket: Socket, bytes: Buffer | string, requests?: number): Promise<void>
  /** Sends a request and reads the whole response. Returns the status, or undefined when the connection closed before. */
  ask(socket: Socket, request: Buffer | string): Promise<number | undefined>
  /** Runs `work` in parallel loops until the attack ends. Ignores rejections. */
  lanes(count: number, work: (lane: number) => Promise<unknown>): Promise<void>
  /** Resolves when the connection is closed (at the latest at the end of the attack), or after `ms`. */
  closed(socket: Socket, ms?: number): Promise<void>
}

/** Delay between two attempts of a loop, so that refused connections cause no busy loop. */
const retryPauseMs = 5
/** Bandwidth of the attackers. Loopback is unlimited, and would turn every attack into a flood of bytes. */
const bytesPerSecond = 125_000_000

/** `signal` ends the attack and closes every connection. */
export function makeAttacker(port: number, signal: AbortSignal): Attacker {
  const tally: Tally = { connections: 0, openMost: 0, closed: 0, requests: 0, answers: {} }
  /** Each with a promise of its close. */
  const open = new Map<Socket, Promise<void>>()
  signal.addEventListener('abort', () => {
    for (const socket of open.keys()) socket.destroy()
  })

  const toLine = makeLine(bytesPerSecond)
  const attacker: Attacker = {
    tally,
    connect: (address) =>
      new Promise((resolve, reject) => {
        const socket = connect({ port, host: '127.0.0.1', localAddress: addressOf(address), noDelay: true })
        socket.on('error', reject)
        const closed = new Promise<void>((done) => socket.once('close', () => done()))
        open.set(socket, closed)
        void closed.then(() => {
          open.delete(socket)
          if (!signal.aborted) tally.closed += 1
          reject(new Error('closed'))
        })
        socket.once('connect', () => {
          tally.connections += 1
          tally.openMost = Math.max(tally.openMost, open.size)
          resolve(socket)
        })
      }),
    async send(socket, bytes, requests = 1) {
      tally.requests += requests
      await toLine(bytes.length)
      if (socket.destroyed || socket.write(bytes)) return
      const taken = Promise.withResolvers<void>()
      socket.once('drain', taken.resolve)
      await Promise.race([taken.promise, attacker.closed(socket)])
    },
    async ask(socket, request) {
      tally.requests += 1
      await toLine(request.length)
      if (socket.destroyed) return undefined
      const status = await answerOf(socket, request)
      if (status !== undefined) tally.answers[status] = (tally.answers[status] ?? 0) + 1
      return status
    },
    async lanes(count, work) {
      const lane = async (index: number) => {
        while (!signal.aborted) {
          await work(index).catch(() => undefined)
          await pause(retryPauseMs)
        }
      }
      await Promise.all(Array.from({ length: count }, (_, index) => lane(index)))
    },
    closed: async (socket, ms) => {
      const closed = open.get(socket)
      if (closed) await (ms === undefined ? closed : Promise.race([closed, pause(ms, undefined, { ref: false })]))
    },
  }
  return attacker
}

/** Resolves when the earlier bytes are sent, at this rate. */
function makeLine(rate: number): (bytes: number) => Promise<void> {
  let freeAt = performance.now()
  return async (bytes) => {
    const now = performance.now()
    const waitMs = Math.max(0, freeAt - now)
    freeAt = now + waitMs + (bytes / rate) * 1000
    if (waitMs > 1) await pause(waitMs)
  }
}

/** 127.0.1.1 is reserved for the other team. */
function addressOf(number: number): string {
  return `127.0.0.${1 + (number % 250)}`
}

/** Writes a request and reads one response: with a length, chunked, or up to the end of the connection. */
function answerOf(socket: Socket, request: Buffer | string): Promise<number | undefined> {
  return new Promise((resolve) => {
    let head = ''
    let status: number | undefined
    let left = Infinity
    let tail = ''
    const done = () => {
      socket.off('data', take)
      socket.off('close', done)
      resolve(status)
    }
    const takeBody = (bytes: Buffer) => {
      left -= bytes.length
      // For chunks, only the end matters.
      tail = (tail + bytes.toString('latin1', Math.max(0, bytes.length - 5))).slice(-5)
      if (left <= 0 || (left === Infinity && tail === '0\r\n\r\n')) done()
    }
    const take = (bytes: Buffer) => {
      if (status !== undefined) return takeBody(bytes)
      head += bytes.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end === -1) return
      const found = Number(head.slice(9, 12))
      const rest = Buffer.from(head.slice(end + 4), 'latin1')
      const headers = head.slice(0, end)
      head = ''
      // An interim response precedes the final one.
      if (found < 200) return take(rest)
      status = found
      const length = /\r\ncontent-length: *(\d+)/i.exec(headers)?.[1]
      if (length !== undefined || found === 204 || found === 304) left = Number(length ?? 0)
      takeBody(rest)
    }
    socket.on('data', take)
    socket.once('close', done)
    socket.write(request)
  })
}
