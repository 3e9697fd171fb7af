import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A vendor that responds immediately, so that only the service is measured. It speaks the image API of OpenAI, which answers with the
 * result, and the queue API of fal, where work is complete at the first poll and the result is fetched by its URL.
 */
const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const png = Buffer.from(base64, 'base64')
const image = JSON.stringify({ data: [{ b64_json: base64 }] })
let accepted = 0

const server = createServer((request, response) => {
  request.resume().once('end', () => {
    const { body, type } = answerTo(request)
    response.writeHead(200, { 'content-type': type, 'content-length': body.length }).end(body)
  })
})

function answerTo({ url = '', method }: IncomingMessage): { body: Buffer | string; type: string } {
  if (url === '/picture.png') return { body: png, type: 'image/png' }
  return { body: url === '/v1/images/generations' ? image : JSON.stringify(queueAnswerTo(url, method)), type: 'application/json' }
}

function queueAnswerTo(url: string, method: string | undefined): object {
  if (method === 'POST') return { status: 'IN_QUEUE', request_id: String(++accepted) }
  if (url.endsWith('/status')) return { status: 'COMPLETED' }
  return { images: [{ url: `http://127.0.0.1:${port()}/picture.png`, content_type: 'image/png' }] }
}

function port(): number {
  return (server.address() as AddressInfo).port
}

server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${port()}`))
process.once('SIGTERM', () => process.exit(0))
process.once('disconnect', () => process.exit(0))
