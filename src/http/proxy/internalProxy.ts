import httpProxy from '@fastify/http-proxy'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { DocUrls } from '../../contract/docUrl.ts'
import { limits } from '../../contract/limits.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { Log } from '../../domain/context.ts'
import { bodyScheduler } from '../../transport/bodyScheduler.ts'
import { sendRefusal } from '../../transport/translateError.ts'
import type { RouteGroup } from '../routeGroup.ts'
import { pathOf } from '../unmatchedRoutes.ts'
import { forwardedIdHeader, forwardedRequestHeaders, forwardedResponseHeaders } from './forwardedHeaders.ts'
import { forwardedPath, forwardedRoots } from './forwardedPath.ts'
import { makeInternalUpstream, type UpstreamTimeouts } from './internalUpstream.ts'

export type InternalProxyOptions = {
  /** Where the internal listener of another process is, without a slash at its end. */
  internalUrl: string
  log: Log
  docUrls: DocUrls
  /** Names a request of this process so that the other one believes it. */
  sealId(requestId: string): string
  /** The client's address, as far as proxies in front of us are believed. */
  addressOf(request: FastifyRequest): string | undefined
  /** Whether a header that names a request was sealed by a process of ours. */
  isSealed(header: string): boolean
  /** Counts a request that leads nowhere. Refusals: rate_limited. */
  count(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts a request in this process alone: the internal side counts it for whom it comes from. Refusals: rate_limited, too_many_concurrent. */
  countLocally(request: FastifyRequest, reply: FastifyReply): void
  times?: UpstreamTimeouts | undefined
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const routes = forwardedRoots.flatMap((root) => [root, `${root}/*`])

/**
 * Passes what browsers ask of the internal side on to the process that serves it, so that they meet one origin. A body is taken in whole
 * first: it is small, one that breaks off reaches nobody, and a slow client holds up no one there. Nothing is ever sent twice.
 * Refusals: not_found, payload_too_large, rate_limited, too_many_concurrent, service_unavailable. Contract: docs/contract.md#two-listeners.
 */
export function internalProxy(options: InternalProxyOptions): RouteGroup {
  return {
    paths: routes.map((path) => ({ path, methods })),
    plugin: async (app: FastifyInstance) => {
      await app.register(proxy(options))
    },
  }
}

function proxy(options: InternalProxyOptions) {
  const { internalUrl, log, docUrls, sealId, addressOf, count, countLocally, times } = options
  const side = makeInternalUpstream(internalUrl, times)
  const refuseLoop = makeLoopRefusal(options)

  /** Before a byte of the body is read. */
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (forwardedPath(request.url) === undefined) {
      await count(request, reply)
      throw new Refusal('not_found')
    }
    if (request.headers[forwardedIdHeader] !== undefined) await refuseLoop(request, reply)
    countLocally(request, reply)
  }

  const handler = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    await bodyScheduler.waitForSlice()
    // Its client left meanwhile, and nothing would end it.
    if (reply.raw.closed) return reply.hijack()
    const forwardedId = sealId(request.id)
    side.begin(forwardedId)
    reply.raw.once('close', () => side.end(forwardedId))
    const { body } = request
    const origin = { host: request.host, address: addressOf(request), scheme: schemeOf(request), forwardedId }
    // A type has to be named, or the proxy would write the bytes as JSON.
    const sent = Buffer.isBuffer(body) ? { body, contentType: 'application/octet-stream' } : {}
    return reply.from(path, {
      ...sent,
      rewriteRequestHeaders: () => forwardedRequestHeaders(request.headers, origin, Buffer.isBuffer(body) ? body.length : undefined),
      rewriteHeaders: forwardedResponseHeaders,
      retryDelay: () => null,
      onError: (failed, { error }) => {
        if (!reply.raw.destroyed) log.warn({ requestId: request.id, cause: causeOf(error) }, 'the internal side does not answer')
        sendRefusal(failed as FastifyReply, new Refusal('service_unavailable'), docUrls)
      },
    })
  }

  return async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: limits.requestBodyBytes },
      async (_request: FastifyRequest, body: Buffer) => body,
    )
    app.addHook('onRequest', admit)
    app.addHook('preClose', async () => side.stop())
    app.addHook('onClose', () => side.close())
    await app.register(httpProxy, {
      upstream: internalUrl,
      routes,
      httpMethods: methods,
      handler,
      preRewrite: pathOf,
      proxyPayloads: false,
      internalRewriteLocationHeader: false,
      undici: { request: side.request as never },
      disableCache: true,
      disableRequestLogging: true,
    })
  }
}

/** How often the log repeats itself, in milliseconds. */
const repeatMs = 60_000

/** Refuses a request that some process has passed on already; anybody can say so, so that it is counted and told once a minute. */
function makeLoopRefusal({ log, isSealed, count }: InternalProxyOptions) {
  const loggedAt = { sealed: -Infinity, forged: -Infinity }
  return async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    await count(request, reply)
    const kind = isSealed(String(request.headers[forwardedIdHeader])) ? 'sealed' : 'forged'
    const now = performance.now()
    if (now - loggedAt[kind] >= repeatMs) {
      loggedAt[kind] = now
      if (kind === 'sealed')
        log.error({ requestId: request.id }, 'INTERNAL_URL leads to a public listener: what was passed on has come back')
      else
        log.warn(
          { requestId: request.id },
          'a request says falsely that it was passed on, or a process with another SECRET_KEY sends it here',
        )
    }
    throw new Refusal('service_unavailable')
  }
}

function schemeOf({ protocol }: FastifyRequest): string {
  return protocol === 'https' ? 'https' : 'http'
}

function causeOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message
}
