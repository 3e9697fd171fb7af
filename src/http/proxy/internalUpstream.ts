import { isIP } from 'node:net'
import { callbackify } from 'node:util'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { forwardedIdHeader } from './forwardedHeaders.ts'

/**
 * Milliseconds: to connect; between two liveness probes; for a probe; for the start or progress of a response; and for requests in
 * progress at shutdown. Connecting, and detecting a dead upstream, end within the five seconds that a caller waits.
 */
export type UpstreamTimeouts = { connectMs: number; checkIntervalMs: number; probeMs: number; answerMs: number; drainMs: number }

/** A response may be delayed for a minute (long polling). */
export const defaultUpstreamTimeouts: UpstreamTimeouts = {
  connectMs: 2500,
  checkIntervalMs: 2500,
  probeMs: 1500,
  answerMs: 75_000,
  drainMs: 5000,
}

/** More than the browsers of a company need at once. Further requests wait. */
const connectionsMax = 1024

/** The internal listener of another process. Call `begin` before each request, with the value of its {@link forwardedIdHeader}. */
export type InternalUpstream = {
  begin(name: string): void
  /** Aborts the request if it is still running. */
  end(name: string): void
  /** Sends a request once. Fails when the upstream stops answering probes, and when a gateway in between answers with a 5xx status. */
  request(options: Dispatcher.RequestOptions, callback: (error: Error | null, answer: Dispatcher.ResponseData) => void): void
  /** Aborts running requests after a short delay. */
  stop(): void
  close(): Promise<void>
}

/** `origin`: address of the internal listener. */
export function makeInternalUpstream(origin: string, times: UpstreamTimeouts = defaultUpstreamTimeouts): InternalUpstream {
  const { hostname } = new URL(origin)
  // undici supports `servername`, but its types do not. Without it, each Host header of a browser would open another TLS connection.
  const always: object = { servername: hostname }
  const connect = connectorTo(hostname, times)
  const limits = { headersTimeout: times.answerMs, bodyTimeout: times.answerMs }
  const agent = new Agent({ connect, connections: connectionsMax, ...limits })
  const prober = new Agent({ connect, connections: 1 })
  const running = new Map<string, AbortController>()
  let probed: { at: number; alive: Promise<boolean> } | undefined

  /** Any response counts: the probe checks the process, which may be slow with single requests. */
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

  /** All waiting requests share one probe while it is recent. */
  function isAlive(): Promise<boolean> {
    if (!probed || performance.now() - probed.at >= times.probeMs) probed = { at: performance.now(), alive: probe() }
    return probed.alive
  }

  function watch(call: AbortController): () => void {
    const check = async () => {
      if (!(await isAlive())) call.abort(new Error('the upstream does not answer'))
    }
    const timer = setInterval(() => void check(), times.checkIntervalMs)
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
    stop: () => void setTimeout(() => running.forEach((call) => call.abort(new Error('shutting down'))), times.drainMs).unref(),
    close: async () => {
      await Promise.all([agent.destroy(), prober.destroy()])
    },
  }
}

/** Certificates are checked against the host of INTERNAL_URL, not against the Host header of the browser. */
function connectorTo(hostname: string, { connectMs }: UpstreamTimeouts): buildConnector.connector {
  const connector = buildConnector({ timeout: connectMs })
  const servername = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) === 0 ? hostname : ''
  return (options, callback) => connector({ ...options, servername }, callback)
}

/** A 5xx response without our request identifier comes from a gateway, so it is treated as a failure. */
function ours(answer: Dispatcher.ResponseData): Dispatcher.ResponseData {
  const { statusCode, headers, body } = answer
  if (statusCode < 500 || String(headers['x-request-id']).startsWith('req_')) return answer
  body.on('error', () => undefined).destroy()
  throw new Error(`a gateway answered ${statusCode} instead of Atelier`)
}
