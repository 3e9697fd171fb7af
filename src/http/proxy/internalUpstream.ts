import { isIP } from 'node:net'
import { callbackify } from 'node:util'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { forwardedIdHeader } from './forwardedHeaders.ts'

/**
 * Milliseconds of each stage: to connect; until we look whether anybody is there; for that; for a whole answer to begin or go on; and for
 * what is on its way when we stop. Connecting, and finding out that nobody answers, end within the five seconds that a caller waits.
 */
export type UpstreamTimeouts = { connectMs: number; checkIntervalMs: number; probeMs: number; answerMs: number; drainMs: number }

/** An answer may be held for a minute. */
export const defaultUpstreamTimeouts: UpstreamTimeouts = {
  connectMs: 2500,
  checkIntervalMs: 2500,
  probeMs: 1500,
  answerMs: 75_000,
  drainMs: 5000,
}

/** More at once than browsers of a whole company ask for; beyond it they wait for one another. */
const connectionsMax = 1024

/** The internal listener of another process. Every request is announced first, under the name in its {@link forwardedIdHeader}. */
export type InternalUpstream = {
  begin(name: string): void
  /** Whatever it was, nobody waits for it any more. */
  end(name: string): void
  /**
   * Sends a request, once. Fails as soon as nobody there answers anything any more, and when a fault is told by anything but Atelier, such
   * as a gateway between us.
   */
  request(options: Dispatcher.RequestOptions, callback: (error: Error | null, answer: Dispatcher.ResponseData) => void): void
  /** Lets what is on its way go on for a moment. */
  stop(): void
  close(): Promise<void>
}

/** `origin`: where it listens. */
export function makeInternalUpstream(origin: string, times: UpstreamTimeouts = defaultUpstreamTimeouts): InternalUpstream {
  const { hostname } = new URL(origin)
  // Known to undici, though not to its types: else each host that a browser names would be a TLS connection of its own.
  const always: object = { servername: hostname }
  const connect = connectorTo(hostname, times)
  const limits = { headersTimeout: times.answerMs, bodyTimeout: times.answerMs }
  const agent = new Agent({ connect, connections: connectionsMax, ...limits })
  const prober = new Agent({ connect, connections: 1 })
  const running = new Map<string, AbortController>()
  let probed: { at: number; alive: Promise<boolean> } | undefined

  /** Whatever it answers: what is asked about is the process, which may take its time over one request. */
  async function probe(): Promise<boolean> {
    try {
      const signal = AbortSignal.timeout(times.probeMs)
      const { body } = await prober.request({ origin, path: '/healthz', method: 'GET', ...always, signal })
      await body.dump()
      return true
    } catch {
      return false
    }
  }

  /** One probe for all requests that wait: the last, while it is younger than any look at a request begun since. */
  function isAlive(): Promise<boolean> {
    if (!probed || performance.now() - probed.at >= times.probeMs) probed = { at: performance.now(), alive: probe() }
    return probed.alive
  }

  function watch(call: AbortController): () => void {
    const look = async () => {
      if (!(await isAlive())) call.abort(new Error('nobody answers there'))
    }
    const timer = setInterval(() => void look(), times.checkIntervalMs)
    return () => clearInterval(timer)
  }

  async function ask(options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
    const call = running.get(String((options.headers as Record<string, unknown>)[forwardedIdHeader])) ?? new AbortController()
    const stopWatching = watch(call)
    try {
      return ours(await agent.request({ ...options, ...limits, ...always, signal: call.signal }))
    } finally {
      stopWatching()
    }
  }

  return {
    begin: (name) => void running.set(name, new AbortController()),
    end(name) {
      running.get(name)?.abort()
      running.delete(name)
    },
    request: callbackify(ask),
    stop: () => void setTimeout(() => running.forEach((call) => call.abort(new Error('we stop'))), times.drainMs).unref(),
    close: async () => {
      await Promise.all([agent.destroy(), prober.destroy()])
    },
  }
}

/** Certificates are judged by the name that INTERNAL_URL has, whatever host the browser named. */
function connectorTo(hostname: string, { connectMs }: UpstreamTimeouts): buildConnector.connector {
  const connector = buildConnector({ timeout: connectMs })
  const servername = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) === 0 ? hostname : ''
  return (options, callback) => connector({ ...options, servername }, callback)
}

/** A fault that something between us and it tells of is no answer; one of ours has an identifier of ours, and the shape of a refusal. */
function ours(answer: Dispatcher.ResponseData): Dispatcher.ResponseData {
  const { statusCode, headers, body } = answer
  if (statusCode < 500 || String(headers['x-request-id']).startsWith('req_')) return answer
  body.on('error', () => undefined).destroy()
  throw new Error(`something there that is not Atelier answers ${statusCode}`)
}
