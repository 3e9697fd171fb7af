import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { RouteGroup } from '../routeGroup.ts'
import { pathOf } from '../unmatchedRoutes.ts'
import { serveFile } from './serveFile.ts'

export type AdminUiOptions = {
  /** The folder of the bundle. */
  folder: string
  /** Counts a request for the page. Refusals: rate_limited. */
  count(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts a request for an asset; a first visit loads many. Refusals: rate_limited, too_many_concurrent. */
  countAsset(request: FastifyRequest, reply: FastifyReply): void
}

const methods = ['GET', 'HEAD']

/** Every path below /integrations returns the page, except for assets. The UI itself shows "not found". */
export const adminUiPaths = [
  { path: '/integrations', methods },
  { path: '/integrations/*', methods },
]

/**
 * Serves the built admin UI. Browsers revalidate the page each time; assets have content hashes in their names and are cached forever.
 * Contract: docs/contract.md#pages. Refusals: not_found (an asset), service_unavailable (no build).
 */
export function adminUi({ folder, count, countAsset }: AdminUiOptions): RouteGroup {
  return {
    paths: adminUiPaths,
    plugin: async (app: FastifyInstance) => {
      const sendPage = await pageOf(join(folder, 'index.html'))
      for (const { path } of adminUiPaths) app.route({ method: ['GET', 'HEAD'], url: path, onRequest: count, handler: sendPage })
      const assets = await loadAssets(join(folder, 'assets'))
      if (assets.size === 0) return
      app.route({
        method: ['GET', 'HEAD'],
        url: `${assetsPath}*`,
        onRequest: async (request, reply) => {
          if (assets.has(assetName(request))) countAsset(request, reply)
          else reply.callNotFound()
        },
        handler: (request, reply) => assets.get(assetName(request))?.(request, reply),
      })
    },
  }
}

const assetsPath = '/integrations/assets/'

function assetName({ url }: FastifyRequest): string {
  return pathOf(url).slice(assetsPath.length)
}

/** Reads the page once, like its assets, so that a new build next to a running process does not mix versions. */
async function pageOf(path: string) {
  const page = await readFile(path).catch(() => undefined)
  const etag = page && `"${createHash('sha256').update(page).digest('base64url')}"`
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (page === undefined || etag === undefined) throw new Refusal('service_unavailable')
    reply.headers({ ...pageHeaders, ETag: etag })
    if (request.headers['if-none-match']?.split(/,\s*/).includes(etag)) return reply.code(304).send()
    return reply.type('text/html; charset=utf-8').send(page)
  }
}

/**
 * Allows only our own script files and no other origin. Inline styles are allowed because Mantine writes its theme and responsive styles
 * into style elements, whose hashes are not known. `blob:` and `data:` are for media in memory.
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

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

const headers = { 'Cache-Control': 'public, max-age=31536000, immutable', 'Cross-Origin-Resource-Policy': 'same-origin' }

/** File names of the build. */
const assetForm = /^[\w-][\w.-]{0,199}$/

/**
 * Loads the assets of the admin UI and their compressed forms into memory. Requests share these bytes, so that many requests open no
 * files and use no memory. Empty without a build.
 */
async function loadAssets(folder: string): Promise<Map<string, ReturnType<typeof serveFile>>> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => assetForm.test(name))
  const contents = new Map(
    await Promise.all(names.map(async (name): Promise<[string, Buffer]> => [name, await readFile(join(folder, name))])),
  )
  const assets = [...contents].filter(([name]) => !isCompressed(name, contents))
  return new Map(
    assets.map(([name, content]) => {
      const [br, gzip] = [contents.get(`${name}.br`), contents.get(`${name}.gz`)]
      const type = types[extname(name)] ?? 'application/octet-stream'
      return [name, serveFile({ type, headers, read: async () => content, compressed: { ...(br && { br }), ...(gzip && { gzip }) } })]
    }),
  )
}

function isCompressed(name: string, contents: ReadonlyMap<string, Buffer>): boolean {
  return /\.(?:br|gz)$/.test(name) && contents.has(name.slice(0, -3))
}
