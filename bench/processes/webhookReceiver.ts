import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A receiver in a process of its own. Answers 204 to everything but `/hang`, which it never answers; of what comes to `/timed` it keeps
 * how long after its event it came, and tells when it is asked.
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
