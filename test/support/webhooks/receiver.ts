import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type ReceivedWebhook = { headers: IncomingHttpHeaders; body: Buffer; receivedAt: number }

/** A real HTTP server on loopback that records requests in order of arrival. */
export type Receiver = {
  address: string
  received: ReceivedWebhook[]
  /** The identifiers of received events, including repeats. */
  ids(): string[]
  /** Closes all connections and stops listening. */
  close(): Promise<void>
}

/** Listens until the end of the test. Answers 204 unless `answer` returns something else; without an answer it hangs. */
export async function aReceiver(
  answer: (response: ServerResponse, webhook: ReceivedWebhook) => void = (response) => response.writeHead(204).end(),
): Promise<Receiver> {
  const received: ReceivedWebhook[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const webhook = { headers: request.headers, body: Buffer.concat(chunks), receivedAt: performance.now() }
      received.push(webhook)
      answer(response, webhook)
    })
    request.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  onTestFinished(close)
  const { port } = server.address() as AddressInfo
  const ids = () => received.map(({ headers }) => String(headers['webhook-id']))
  return { address: `http://127.0.0.1:${port}/hook`, received, ids, close }
}
