import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorsPath } from '../../contract/docUrl.ts'
import { type ServedFile, serveFile } from '../pages/serveFile.ts'
import type { RouteGroup } from '../routeGroup.ts'
import { guidesOf, guidesPath, loadLibrary, picturesPath } from './guides.ts'
import { pageHeaders } from './pageHeaders.ts'
import { referenceFiles } from './referenceFiles.ts'
import { makeSite } from './site.ts'

export type DocsOptions = {
  /** True: the OpenAPI document is public. False: the reference asks for an API key. */
  open: boolean
  /** The service's address in the guides, without a trailing slash. */
  publicUrl: string
  /** Counts a request. Refusals: rate_limited. */
  count(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** The folder with the guides. Default: the root of the release. */
  root?: string
}

const releaseRoot = join(import.meta.dirname, '../../..')

/**
 * The documentation site at `/docs`: API reference, guides and errors page. It loads nothing from other hosts. The guides are public; the
 * OpenAPI document is public only with `open`. Contract: docs/contract.md#documentation-site.
 */
export function docsRoutes(document: unknown, { open, publicUrl, count, root = releaseRoot }: DocsOptions): RouteGroup {
  const files = { ...referenceFiles(document, { open, publicUrl }), ...siteFiles(root, publicUrl), ...assets }
  return {
    paths: Object.keys(files).map((path) => ({ path, methods: ['GET', 'HEAD'] })),
    plugin: async (app: FastifyInstance) => {
      for (const [path, file] of Object.entries(files)) {
        app.route({ method: ['GET', 'HEAD'], url: path, onRequest: count, handler: serveFile(file) })
      }
    },
  }
}

function siteFiles(root: string, publicUrl: string): Record<string, ServedFile> {
  const library = loadLibrary(root)
  const site = makeSite(library, publicUrl)
  const page = (read: () => Promise<string>): ServedFile => ({
    type: 'text/html; charset=utf-8',
    headers: pageHeaders(),
    read: async () => Buffer.from(await read()),
  })
  const markdown = (read: () => Promise<string>): ServedFile => ({
    type: 'text/markdown; charset=utf-8',
    read: async () => Buffer.from(await read()),
  })
  const paths = [...guidesOf(library).map(({ path }) => path), errorsPath]
  const pictures = library.pictures.map((name): [string, ServedFile] => [
    `${picturesPath}/${name}`,
    { type: 'image/webp', read: () => readFile(join(root, 'docs/pictures', name)) },
  ])
  return {
    [guidesPath]: page(() => site.overview()),
    ...Object.fromEntries(paths.map((path) => [path, page(() => site.html(path))])),
    ...Object.fromEntries(paths.map((path) => [`${path}.md`, markdown(() => site.markdown(path))])),
    '/docs/llms.txt': markdown(() => site.llmsText()),
    ...Object.fromEntries(pictures),
    '/docs/search.json': {
      type: 'application/json; charset=utf-8',
      read: async () => Buffer.from(JSON.stringify(await site.searchEntries())),
    },
  }
}

/** The browser module of the search library. */
const searchLibrary = fileURLToPath(import.meta.resolve('minisearch'))

const script = 'text/javascript; charset=utf-8'
const style = 'text/css; charset=utf-8'
const ours = (type: string, name: string): ServedFile => ({ type, read: () => readFile(join(import.meta.dirname, 'browser', name)) })

const assets: Record<string, ServedFile> = {
  '/docs/bar.css': ours(style, 'bar.css'),
  '/docs/guide.css': ours(style, 'guide.css'),
  '/docs/examples.css': ours(style, 'examples.css'),
  '/docs/reference.css': ours(style, 'reference.css'),
  '/docs/bar.js': ours(script, 'bar.js'),
  '/docs/search.js': ours(script, 'search.js'),
  '/docs/guide.js': ours(script, 'guide.js'),
  '/docs/examples.js': ours(script, 'examples.js'),
  '/docs/samples.js': ours(script, 'samples.js'),
  '/docs/icon.svg': ours('image/svg+xml', 'icon.svg'),
  '/docs/minisearch.js': { type: script, read: () => readFile(searchLibrary) },
}
