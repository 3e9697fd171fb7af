import { setTimeout as pause } from 'node:timers/promises'
import type { Attempt, Balancer } from '../chaos/balancer.ts'
import type { ServiceProcess } from '../chaos/serviceProcess.ts'

/** Waits and streams; their duration is not measured. */
export type TimedAttempt = Attempt & { waits: boolean }

export type ReadyBalancer = Omit<Balancer, 'attempts'> & {
  attempts: TimedAttempt[]
  /** Adds a process; it gets requests while `/readyz` succeeds. */
  add(server: ServiceProcess): void
  isReady(server: ServiceProcess): boolean
  close(): Promise<void>
}

const pollIntervalMs = 100
const readyzMs = 2_000
/** Requests wait this long for a ready process; their time counts. */
const heldMs = 5_000

/** A load balancer for processes of both releases: processes with 200 at `/readyz` get requests in turn. */
export function openReadyBalancer(): ReadyBalancer {
  const attempts: TimedAttempt[] = []
  const ready = new Map<ServiceProcess, boolean>()
  const ending = new AbortController()
  const looking: Promise<void>[] = []
  let turn = 0

  async function lookAt(server: ServiceProcess): Promise<void> {
    while (!ending.signal.aborted) {
      ready.set(server, await probeReady(server))
      await pause(pollIntervalMs)
    }
  }

  async function next(): Promise<ServiceProcess> {
    const until = performance.now() + heldMs
    for (;;) {
      const there = [...ready].filter(([, is]) => is).map(([server]) => server)
      const server = there[turn++ % there.length]
      if (server !== undefined) return server
      if (performance.now() > until) throw new TypeError('no process is ready')
      await pause(pollIntervalMs)
    }
  }

  async function send(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const begunAt = performance.now()
    const url = new URL(input instanceof Request ? input.url : input)
    const waits = url.searchParams.has('wait') || url.pathname.endsWith('/events') || Boolean(new Headers(init.headers).get('prefer'))
    const request = `${init.method ?? 'GET'} ${url.pathname.replace(/\w+_[0-9a-z]{26}/, '…')}`
    let server: ServiceProcess | undefined
    const note = (status: number | undefined, retryAfter: string | null) =>
      void attempts.push({ server: server?.name ?? 'none', begunAt, endedAt: performance.now(), status, retryAfter, waits, request })
    try {
      server = await next()
      url.port = String(server.port)
      const response = await fetch(url, init)
      note(response.status, response.headers.get('retry-after'))
      return response
    } catch (error) {
      if (init.signal?.aborted !== true) note(undefined, null)
      throw error
    }
  }

  return {
    attempts,
    fetch: send,
    probe: () => async () => undefined,
    add: (server) => void looking.push(lookAt(server)),
    isReady: (server) => ready.get(server) === true,
    async close() {
      ending.abort()
      await Promise.all(looking)
    },
  }
}

async function probeReady(server: ServiceProcess): Promise<boolean> {
  const signal = AbortSignal.timeout(readyzMs)
  return fetch(`http://127.0.0.1:${server.port}/readyz`, { signal }).then(
    async (response) => {
      await response.body?.cancel()
      return response.ok
    },
    () => false,
  )
}
