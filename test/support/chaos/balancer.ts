import { setTimeout as pause } from 'node:timers/promises'
import type { ServiceProcess } from './serviceProcess.ts'

/** One request to one process and its outcome. Times are of `performance.now()`. */
export type Attempt = {
  server: string
  /** Method and path. */
  request: string
  begunAt: number
  endedAt: number
  /** Absent without an answer. */
  status: number | undefined
  retryAfter: string | null
}

/** A simple load balancer that records each request. */
export type Balancer = {
  attempts: Attempt[]
  fetch: typeof fetch
  /** Sends a request that needs the database to every running process, four times a second, until the returned function is called. */
  probe(key: string): () => Promise<void>
}

/** A process that gets requests. */
type Server = Pick<ServiceProcess, 'name' | 'host' | 'port' | 'isUp'>

/** The service promises an answer within five seconds. */
const answerMs = 6_000
/** A process without an answer gets no requests for this time. */
const awayMs = 2_000
const probeMs = 250

export function makeBalancer(servers: Server[]): Balancer {
  const attempts: Attempt[] = []
  const awayUntil = new Map<Server, number>()
  let turn = 0

  async function sendTo(server: Server, url: URL, init: RequestInit = {}): Promise<Response> {
    const begunAt = performance.now()
    const address = new URL(url)
    address.hostname = server.host
    address.port = String(server.port)
    const request = `${init.method ?? 'GET'} ${address.pathname}`
    const note = (status: number | undefined, retryAfter: string | null) =>
      void attempts.push({ server: server.name, request, begunAt, endedAt: performance.now(), status, retryAfter })
    const signals = [AbortSignal.timeout(answerMs), ...(init.signal ? [init.signal] : [])]
    try {
      const response = await fetch(address, { ...init, signal: AbortSignal.any(signals) })
      const body = await response.arrayBuffer()
      note(response.status, response.headers.get('retry-after'))
      return new Response(response.status === 204 ? null : body, { status: response.status, headers: response.headers })
    } catch (error) {
      note(undefined, null)
      awayUntil.set(server, performance.now() + awayMs)
      throw error
    }
  }

  function next(): Server {
    const now = performance.now()
    const there = servers.filter((server) => (awayUntil.get(server) ?? 0) <= now)
    const from = there.length > 0 ? there : servers
    turn += 1
    return from[turn % from.length] as Server
  }

  return {
    attempts,
    fetch: (input, init) => sendTo(next(), new URL(input instanceof Request ? input.url : input), init),
    probe(key) {
      const ending = new AbortController()
      const open = new Set<Promise<unknown>>()
      const headers = { authorization: `Bearer ${key}` }
      const probing = (async () => {
        while (!ending.signal.aborted) {
          for (const server of servers.filter((one) => one.isUp())) {
            const url = new URL('http://127.0.0.1/api/v1/account')
            const asked = sendTo(server, url, { headers }).catch(() => undefined)
            open.add(asked)
            void asked.finally(() => open.delete(asked))
          }
          await pause(probeMs, undefined, { signal: ending.signal }).catch(() => undefined)
        }
      })()
      return async () => {
        ending.abort()
        await probing
        await Promise.all(open)
      }
    },
  }
}
