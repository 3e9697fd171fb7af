import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach } from 'vitest'
import { type SendObjectOptions, sendObject } from '../../../src/http/results/sendObject.ts'
import { ObjectNotFound, type StoredObject } from '../../../src/storage/storage.ts'

const agent = new Agent({ keepAlive: true })

/** A server per test; it sends the object in `delivery`. */
export function objectServer() {
  let app: FastifyInstance
  let delivery: SendObjectOptions
  const server = {
    get delivery() {
      return delivery
    },
    set delivery(next) {
      delivery = next
    },
    get app() {
      return app
    },
    /** Sends a request over a real socket and returns the response with an unread body. */
    async ask(headers: Record<string, string> = {}, method = 'GET'): Promise<IncomingMessage> {
      const sent = request(`${app.listeningOrigin}/object`, { method, headers, agent }).end()
      const [response] = await once(sent, 'response')
      return response
    },
  }

  beforeEach(async () => {
    app = fastify({ forceCloseConnections: true })
    app.setErrorHandler((error, _request, reply) =>
      reply.code(error instanceof ObjectNotFound ? 404 : 500).send({ error: { code: 'our own shape' } }),
    )
    app.addHook('onSend', async (_request, reply) => {
      reply.header('x-request-id', 'req_1')
    })
    app.get('/object', (asked, reply) => sendObject(asked, reply, delivery))
    await app.listen({ host: '127.0.0.1', port: 0 })
  })

  afterEach(() => app.close())

  return server
}

/** The delivery of a stored object as an image. */
export function deliveryOf({ storage }: Pick<SendObjectOptions, 'storage'>, stored: StoredObject): SendObjectOptions {
  return { storage, object: { ...stored, mimeType: 'image/png', fileName: 'a.png' }, download: false }
}
