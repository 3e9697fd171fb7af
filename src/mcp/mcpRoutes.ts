import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contextFor, type Services } from '../domain/context.ts'
import { invariant } from '../domain/invariant.ts'
import type { Operations } from '../schema/operations.ts'
import { abortOnDisconnect } from '../transport/abortOnDisconnect.ts'
import { type AdmissionOptions, admit } from '../transport/admission.ts'
import { base64BodyBytesMax, requireAnnouncedSize } from '../transport/bodyBytes.ts'
import { requireJsonType } from '../transport/readJson.ts'
import { addRequestLogFields, type RequestLogFields } from '../transport/requestLogFields.ts'
import { requestOrigin } from '../transport/requestOrigin.ts'
import { requireSameOrigin } from '../transport/requireSameOrigin.ts'
import { errorHandler } from '../transport/translateError.ts'
import type { MessageHandler, MessageHandlerOptions } from './messageHandler.ts'
import { readBody } from './readBody.ts'
import { countOf, ProtocolFault } from './readMessages.ts'

export type McpOptions = { admission: AdmissionOptions; operations: Operations; version: string }

const path = '/mcp'

/**
 * The MCP endpoint for agents: Streamable HTTP without sessions. Contract: docs/contract.md#connect-an-agent.
 */
export function mcpRoutes(services: Services, options: McpOptions) {
  return {
    paths: [{ path, methods: ['POST'] }],
    async plugin(app: FastifyInstance): Promise<void> {
      await app.register(mcp(services, options))
    },
  }
}

function mcp(services: Services, options: McpOptions) {
  const shutdown = new AbortController()
  const messageHandler = lazyMessageHandler({ operations: options.operations, version: options.version, log: services.log })
  const admittedCaller = new WeakMap<FastifyRequest, Awaited<ReturnType<typeof admit>>>()

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { messages, spooledText } = await readBody(request, services.settings)
    if (spooledText)
      whenClosed(
        reply,
        () => void spooledText.remove().catch((error: unknown) => services.log.warn({ error }, 'a spooled file was not removed')),
      )
    // Each message of a batch holds a concurrency slot until the response ends.
    reply.raw.setMaxListeners(reply.raw.getMaxListeners() + countOf(messages))
    for (let more = countOf(messages); more > 1; more -= 1) await admit(request, reply, { scope: 'mcp' }, options.admission)
    const entry = admittedCaller.get(request)
    invariant(entry, 'a request is admitted before it is read')
    const gone = abortOnDisconnect(reply, shutdown.signal)
    const asked = webRequest(request, abortOnDisconnect(reply), services.settings.publicUrl)
    const origin = requestOrigin(request, options.admission.addressOf)
    const caller = {
      context: contextFor(services, entry.actor, origin),
      requestId: request.id,
      gone,
      spooledText: spooledText?.read,
      addLogFields: (fields: RequestLogFields) => addRequestLogFields(request, fields),
    }
    const handle = await messageHandler()
    return send(reply, await handle(asked, caller, messages))
  }

  return async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers()
    // The body is read after admission and the check of its size.
    app.addContentTypeParser('*', (_request, _payload, done) => done(null))
    const refuse = errorHandler(services)
    app.setErrorHandler((error, request, reply) => (error instanceof ProtocolFault ? fault(reply, error) : refuse(error, request, reply)))
    app.addHook('preClose', async () => shutdown.abort())
    app.post(path, {
      config: { streamsBody: true },
      onRequest: async (request, reply) => {
        reply.header('Cache-Control', 'no-store')
        requireSameOrigin(request, services.settings.publicUrl)
        admittedCaller.set(request, await admit(request, reply, { scope: 'mcp' }, options.admission))
        requireJsonType(request, false)
        requireAnnouncedSize(request, base64BodyBytesMax)
      },
      handler: answer,
    })
  }
}

/** Loads the protocol at the first message: it takes 8 MB of memory, and many processes get no messages. A failed load is retried. */
function lazyMessageHandler(options: MessageHandlerOptions): () => Promise<MessageHandler> {
  let handler: Promise<MessageHandler> | undefined
  return () => {
    handler ??= import('./messageHandler.ts').then(({ makeMessageHandler }) => makeMessageHandler(options))
    handler.catch(() => {
      handler = undefined
    })
    return handler
  }
}

/** The request for the protocol handler, without its body, which was already read. */
function webRequest(request: FastifyRequest, signal: AbortSignal, publicUrl: string): Request {
  const headers = new Headers()
  for (const name of ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  return new Request(`${publicUrl}${path}`, { method: 'POST', headers, signal })
}

/** Runs `work` when the response has ended; a streamed response ends after the handler returns. */
function whenClosed(reply: FastifyReply, work: () => void): void {
  if (reply.raw.closed || reply.raw.destroyed) work()
  else reply.raw.once('close', work)
}

function send(reply: FastifyReply, response: Response): FastifyReply {
  reply.code(response.status)
  for (const name of ['content-type', 'cache-control', 'x-accel-buffering']) {
    const value = response.headers.get(name)
    if (value !== null) reply.header(name, value)
  }
  return reply.send(response.body === null ? undefined : Readable.fromWeb(response.body as ReadableStream))
}

function fault(reply: FastifyReply, { code, message }: ProtocolFault): FastifyReply {
  const body = { jsonrpc: '2.0', id: null, error: { code, message } }
  return reply.code(400).type('application/json; charset=utf-8').send(JSON.stringify(body))
}
