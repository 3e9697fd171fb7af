import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A webhook receiver in its own process. Responds 204 to everything but `/hang`, to which it never responds. For `/timed` it records the
 * delay after the event, and sends the delays on request.
 */
let lateMs: number[] = []

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  if (request.url === '/hang') return
  if (request.url === '/timed') lateMs.push(Date.now() - Date.parse(JSON.parse(Buffer.concat(chunks).toString()).createdAt))
  response.writeHead(204).end()
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', () => {
  process.send?.({ lateMs })
  lateMs = []
})
