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
   * Calls `callback` for each notification on `channel` with the payload `id`, until the returned function is called. Supports ten
   * thousand subscriptions. Subscribe before reading the state, so that no change is missed. Throws for a channel that was not given
   * to {@link openListener}.
   */
  subscribe: (channel: string, id: string, callback: NoticeCallback) => () => void
  /** Whether the connection is open, as far as known: the next heartbeat detects a silent one. */
  isListening: () => boolean
  /** Ends the connection and all subscriptions. May be called again. */
  close: () => Promise<void>
}

/**
 * Opens one connection that listens to `channels` for the whole process. When it breaks, it reconnects, with growing pauses up to two
 * seconds, and calls every subscriber with `reconnected`. Needs a direct connection: a transaction pooler accepts LISTEN and delivers nothing.
 * Checks the connection every `heartbeatSeconds`, with the same time limit. Rejects when the first connection takes longer than 5 s.
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
      // Random, so that the processes of a deployment do not reconnect at the same moment.
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
  client.on('end', () => lost.resolve('closed'))
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

/** A LISTEN connection may be idle for hours; only a query detects that the server is gone. */
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

/** `client.end()` alone waits for the server, which may be gone. */
async function endWithTimeout(client: pg.Client, socket: Socket): Promise<void> {
  const timer = setTimeout(() => socket.destroy(), endMilliseconds)
  await client.end()
  clearTimeout(timer)
}
