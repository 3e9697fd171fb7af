import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { Atelier, type AtelierOptions, type Timing } from '../../../clients/typescript/src/index.ts'

export type ReceivedRequest = { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer }
export type Answer = (response: ServerResponse) => void

/** A server for the running test that gives these answers in order and repeats the last one, and a client with a simulated clock. */
export async function scriptedServer(answers: Answer[], options: Partial<AtelierOptions> = {}) {
  const requests: ReceivedRequest[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => Buffer.alloc(0))
    requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
    answers[Math.min(requests.length, answers.length) - 1]?.(response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const close = async () => {
    if (!server.listening) return
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(close)
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { timing, pauses, pass } = simulatedTiming()
  return { requests, origin, pauses, pass, close, client: new Atelier({ baseUrl: `${origin}/api/v1`, key: 'atl_key', timing, ...options }) }
}

/** A clock that moves only during a pause or on request. */
function simulatedTiming(): { timing: Timing; pauses: number[]; pass(seconds: number): void } {
  const pauses: number[] = []
  let now = 0
  const pause = async (seconds: number, signal?: AbortSignal) => {
    pauses.push(seconds)
    now += seconds * 1000
    signal?.throwIfAborted()
  }
  return { timing: { now: () => now, pause, random: () => 0 }, pauses, pass: (seconds) => void (now += seconds * 1000) }
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
}

export function refusal(status: number, code: string, { retryable = false, details = {}, headers = {} } = {}): Answer {
  const error = { code, message: `No: ${code}.`, retryable, details }
  return json(status, { error }, { 'X-Request-Id': 'req_1', ...headers })
}

export const closeConnections: Answer = (response) => void response.destroy()
export const breakOff: Answer = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' })
  response.write('{"items":', () => response.destroy())
}
export const silence: Answer = () => undefined
