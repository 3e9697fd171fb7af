import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../log.ts'
import { type NoticeCallback, type NoticeSubscribers, noticeSubscribers } from './noticeSubscribers.ts'
import { sessionOptions } from './pool.ts'

const connectSecondsMax = 5
const endMilliseconds = 1_000
const reconnectPauseMillisecondsMax = 2_000

export type Listener = {
  /**
   * Calls back for each notice on `channel` whose payload is `id`, from now on, until the returned function is called. Cheap enough for
   * ten thousand at once. Subscribe first and read the state afterwards, so that no change falls between. A channel that was not given
   * at the opening is a bug and throws.
   */
  subscribe: (channel: string, id: string, callback: NoticeCallback) => () => void
  /** Whether the connection stands, as far as is known: a silent one is found out by the next heartbeat. */
  isListening: () => boolean
  /** Ends the connection; nobody is called back any more. May be called again. */
  close: () => Promise<void>
}

/**
 * One connection that listens to `channels` for the whole process. When it breaks it is made anew, with growing pauses up to two seconds,
 * and every subscriber is told. Needs a direct connection: a transaction pooler takes the order to listen and delivers nothing.
 * Every `heartbeatSeconds` it is asked for a sign of life, which has as long to come.
 * Rejects when the first connection cannot be made within 5 s.
 */
export async function openListener(
  connectionString: string,
  { channels, log, heartbeatSeconds = 5 }: { channels: readonly string[]; log: Log; heartbeatSeconds?: number },
): Promise<Listener> {
  const subscribers = noticeSubscribers(channels, log)
  const closing = new AbortController()
  const connect = () => connectAndListen({ connectionString, channels, subscribers, heartbeatSeconds, signal: closing.signal })

  let connection = await connect()
  let isListening = true
  const keeping = reconnectLoop()
  return {
    subscribe: (channel, id, callback) => subscribers.add(channel, id, callback),
    isListening: () => isListening,
    async close() {
      isListening = false
      closing.abort()
      subscribers.clear()
      await connection.end()
      await keeping
    },
  }

  async function reconnectLoop(): Promise<void> {
    while (!closing.signal.aborted) {
      const reason = await connection.lost
      isListening = false
      if (closing.signal.aborted) return
      log.warn({ reason }, 'the listening connection broke')
      await reconnect()
    }
  }

  async function reconnect(): Promise<void> {
    for (let milliseconds = 50; !closing.signal.aborted; milliseconds = Math.min(milliseconds * 2, reconnectPauseMillisecondsMax)) {
      // Uneven, so that the processes of a deployment do not all come back in the same moment.
      await pause(milliseconds * (0.5 + Math.random() / 2), undefined, { signal: closing.signal }).catch(() => undefined)
      const next = await connect().catch(() => undefined)
      if (next === undefined) continue
      connection = next
      if (closing.signal.aborted) return next.end()
      isListening = true
      log.info({}, 'listening again')
      return subscribers.notifyAll()
    }
  }
}

type Connection = { lost: Promise<string>; end: () => Promise<void> }

async function connectAndListen(request: {
  connectionString: string
  channels: readonly string[]
  subscribers: NoticeSubscribers
  heartbeatSeconds: number
  signal: AbortSignal
}): Promise<Connection> {
  const { connectionString, channels, subscribers, heartbeatSeconds, signal } = request
  const socket = new Socket()
  const client = new pg.Client({
    connectionString,
    stream: () => socket,
    connectionTimeoutMillis: connectSecondsMax * 1_000,
    query_timeout: heartbeatSeconds * 1_000,
    keepAlive: true,
    application_name: 'atelier listen',
    options: sessionOptions,
  })
  const lost = Promise.withResolvers<string>()
  client.on('error', (error) => lost.resolve(error.message))
  client.on('end', () => lost.resolve('it was closed'))
  client.on('notification', ({ channel, payload }) => subscribers.notify(channel, payload ?? ''))

  const giveUp = () => void socket.destroy()
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    await client.connect()
    for (const channel of channels) await client.query(`listen ${client.escapeIdentifier(channel)}`)
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
  void lost.promise.then(() => socket.destroy())
  void sendHeartbeats(client, { heartbeatSeconds, socket, lost: lost.promise })
  return { lost: lost.promise, end: () => endWithTimeout(client, socket) }
}

/** A connection that listens says nothing for hours, so only a question shows that its other end is gone. */
async function sendHeartbeats(
  client: pg.Client,
  { heartbeatSeconds, socket, lost }: { heartbeatSeconds: number; socket: Socket; lost: Promise<unknown> },
) {
  const ended = new AbortController()
  void lost.then(() => ended.abort())
  try {
    for (;;) {
      await pause(heartbeatSeconds * 1_000, undefined, { signal: ended.signal, ref: false })
      await client.query('select 1')
    }
  } catch {
    socket.destroy()
  }
}

/** The polite way waits for the other end, which may be gone without a word. */
async function endWithTimeout(client: pg.Client, socket: Socket): Promise<void> {
  const timer = setTimeout(() => socket.destroy(), endMilliseconds)
  await client.end()
  clearTimeout(timer)
}
