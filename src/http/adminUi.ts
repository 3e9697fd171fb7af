import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../contract/refusals.ts'
import type { Door } from './door.ts'
import { pathOf } from './unmatchedRoutes.ts'

export type AdminUiOptions = {
  /** Where the bundle lies. */
  folder: string
  /** Counts a request for the page; its assets are kept for good by whoever has them. Refusals: rate_limited. */
  count(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

const methods = ['GET', 'HEAD']

/** Below /integrations everything is a page, which the UI itself tells from one that does not exist; but for its assets. */
export const adminUiPaths = [
  { path: '/integrations', methods },
  { path: '/integrations/*', methods },
]

/**
 * The admin UI as it was built. The page is asked for anew each time; its assets have their content in their names and are kept for good.
 * Contract: section 9. Refusals: not_found (an asset), service_unavailable (nothing was built).
 */
export function adminUi({ folder, count }: AdminUiOptions): Door {
  const sendPage = pageOf(join(folder, 'index.html'))
  return {
    paths: adminUiPaths,
    plugin: async (app: FastifyInstance) => {
      for (const { path } of adminUiPaths) app.route({ method: ['GET', 'HEAD'], url: path, onRequest: count, handler: sendPage })
      const assets = join(folder, 'assets')
      if (!existsSync(assets)) return
      await app.register(assetsIn(assets))
    },
  }
}

function assetsIn(root: string) {
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onRequest', async ({ url }, reply) => {
      if (!assetPath.test(pathOf(url))) reply.callNotFound()
    })
    await app.register(fastifyStatic, {
      root,
      prefix: '/integrations/assets/',
      index: false,
      decorateReply: false,
      preCompressed: true,
      acceptRanges: false,
      immutable: true,
      maxAge: '365d',
      setHeaders: (reply) => {
        reply.headers({ 'X-Content-Type-Options': 'nosniff', 'Cross-Origin-Resource-Policy': 'same-origin' })
      },
    })
  }
}

/** As the build names them. What is asked for in another way never comes near the file system, where some of it would be a fault. */
const assetPath = /^\/integrations\/assets\/[\w-][\w.-]{0,199}$/

function pageOf(path: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const page = await readFile(path).catch(() => undefined)
    if (page === undefined) throw new Refusal('service_unavailable')
    const etag = `"${createHash('sha256').update(page).digest('base64url')}"`
    reply.headers({ ...pageHeaders, ETag: etag })
    if (request.headers['if-none-match']?.split(/,\s*/).includes(etag)) return reply.code(304).send()
    return reply.type('text/html; charset=utf-8').send(page)
  }
}

/**
 * No script but our own files, and nothing from or to another origin. Style elements are allowed: Mantine writes its theme and what
 * depends on the width of the window into some, which no hash could follow. Media that the page holds itself are `blob:` and `data:`.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const pageHeaders = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': contentSecurityPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}
