import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'

/** The minimal file server for comparison: Fastify that writes bodies to disk, and @fastify/static. */
const folder = process.env['BENCH_FOLDER'] ?? ''
const app = Fastify()
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
app.post('/files', async (request, reply) => {
  await pipeline(request.body as Readable, createWriteStream(join(folder, randomUUID()), { flush: true }))
  return reply.code(201).send({})
})
await app.register(fastifyStatic, { root: folder, cacheControl: false })
const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.once('SIGTERM', () => process.exit(0))
process.send?.(address)
