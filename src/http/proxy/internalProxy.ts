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
import { makeInternalUpstream, type UpstreamTimeouts } from './internalUpstream.ts'

/** The internal paths for browsers. No other internal path is reachable through the public listener. */
const forwardedRoots = ['/integrations', '/auth', '/graphql'] as const

export type InternalProxyOptions = {
  /** Origin of the internal listener of another process, without a trailing slash. */
  internalUrl: string
  log: Log
  docUrls: DocUrls
  /** Seals the identifier of a request, so that the other process can trust it. */
  sealId(requestId: string): string
  /** The client address behind trusted proxies. */
  addressOf(request: FastifyRequest): string | undefined
  /** True when a process of ours sealed this header value. */
  isSealed(header: string): boolean
  /** Counts a request to an unknown path. Refusals: rate_limited. */
  count(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts a request in this process only; the internal listener counts it for its caller. Refusals: rate_limited, too_many_concurrent. */
  countLocally(request: FastifyRequest, reply: FastifyReply): void
  times?: UpstreamTimeouts | undefined
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const routes = forwardedRoots.flatMap((root) => [root, `${root}/*`])

/**
 * Proxies the internal paths of browsers to the process that serves them, so that browsers use one origin. Reads the whole body first: it
 * is small, an incomplete one is never sent, and slow clients do not block the other process. Never sends a request twice.
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

  /** Runs before a byte of the body is read. */
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
    // The client has disconnected, so nothing would abort the upstream request.
    if (reply.raw.closed) return reply.hijack()
    const forwardedId = sealId(request.id)
    side.begin(forwardedId)
    reply.raw.once('close', () => side.end(forwardedId))
    const { body } = request
    const origin = { host: request.host, address: addressOf(request), scheme: schemeOf(request), forwardedId }
    // Without a content type, the proxy would serialize the bytes as JSON.
    const sent = Buffer.isBuffer(body) ? { body, contentType: 'application/octet-stream' } : {}
    return reply.from(path, {
      ...sent,
      rewriteRequestHeaders: () => forwardedRequestHeaders(request.headers, origin, Buffer.isBuffer(body) ? body.length : undefined),
      rewriteHeaders: forwardedResponseHeaders,
      retryDelay: () => null,
      onError: (failed, { error }) => {
        if (!reply.raw.destroyed) log.warn({ requestId: request.id, cause: causeOf(error) }, 'the internal listener does not answer')
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
    // Loaded only here: with its own undici it takes 5 MB of memory.
    const { default: httpProxy } = await import('@fastify/http-proxy')
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

/** Minimum interval between equal log lines, in milliseconds. */
const repeatMs = 60_000

/** Refuses a request that was proxied before. Any client can send that header, so it is counted, and logged once a minute. */
function makeLoopRefusal({ log, isSealed, count }: InternalProxyOptions) {
  const loggedAt = { sealed: -Infinity, forged: -Infinity }
  return async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    await count(request, reply)
    const kind = isSealed(String(request.headers[forwardedIdHeader])) ? 'sealed' : 'forged'
    const now = performance.now()
    if (now - loggedAt[kind] >= repeatMs) {
      loggedAt[kind] = now
      if (kind === 'sealed')
        log.error({ requestId: request.id }, 'INTERNAL_URL leads to a public listener: a proxied request has come back')
      else
        log.warn(
          { requestId: request.id },
          'a request has an invalid proxy header: it is forged, or a process with another SECRET_KEY sent it',
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

/**
 * Returns the path of a URL without its query if it is one of {@link forwardedRoots} or below it, else undefined. All programs must read
 * the same path, so escaped slashes and percent signs, dot segments, backslashes and empty segments are not accepted.
 * Contract: docs/contract.md#two-listeners.
 */
function forwardedPath(url: string): string | undefined {
  const path = pathOf(url)
  const isPlain = path.slice(1).split('/').every(isPlainSegment)
  return isPlain && forwardedRoots.some((root) => path === root || path.startsWith(`${root}/`)) ? path : undefined
}

function isPlainSegment(segment: string): boolean {
  if (!/^(?:[\w.~!$&'()*+,;=:@-]|%[0-9a-f]{2})+$/i.test(segment)) return false
  const text = decoded(segment)
  return text !== undefined && text !== '.' && text !== '..' && !/[/\\%\0]/.test(text)
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
