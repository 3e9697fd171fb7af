import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifyWebhook } from '../../../clients/typescript/src/webhooks/verifyWebhook.ts'

/** An event with a valid signature. `at` is of `performance.now()`. */
export type Arrival = { eventId: string; generationId: string; at: number }

/** A receiver like in the webhook guide: it verifies every signature, and answers. */
export type HookReceiver = {
  /** One address per team; `expect` sets its secret. */
  addressOf(name: string): string
  expect(name: string, secret: string): void
  arrivals(name: string): Arrival[]
  /** Requests with a signature of no secret of that address. */
  forged: number
  /** Stops listening until `listenAgain`, on the same port. */
  leave(): Promise<void>
  listenAgain(): Promise<void>
}

/** Listens on a free port of loopback, or of another address of this machine. */
export async function startHookReceiver(host = '127.0.0.1'): Promise<HookReceiver> {
  const secrets = new Map<string, string>()
  const arrived = new Map<string, Arrival[]>()
  let server: Server | undefined
  let port = 0
  const arrivalsOf = (name: string) => arrived.get(name) ?? []

  async function listen(): Promise<void> {
    server = createServer(async (request, response) => {
      const chunks = await request.toArray().catch(() => undefined)
      if (chunks === undefined) return
      const name = (request.url ?? '').slice(1)
      try {
        const headers = new Headers(Object.entries(request.headers).map(([key, value]) => [key, String(value)]))
        const { id, data } = await verifyWebhook({ body: Buffer.concat(chunks), headers, secrets: secrets.get(name) ?? '' })
        arrived.set(name, [...arrivalsOf(name), { eventId: id, generationId: data.generation.generationId, at: performance.now() }])
        response.writeHead(204).end()
      } catch {
        receiver.forged += 1
        response.writeHead(400).end()
      }
    })
    server.listen(port, host)
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }

  const receiver: HookReceiver = {
    addressOf: (name) => `http://${host}:${port}/${name}`,
    expect: (name, secret) => void secrets.set(name, secret),
    arrivals: arrivalsOf,
    forged: 0,
    async leave() {
      if (!server?.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
    listenAgain: listen,
  }
  await listen()
  return receiver
}
