import type { FastifyInstance } from 'fastify'
import type { Door } from './app.ts'
import { referenceViewer } from './referenceViewer.ts'
import { type ServedFile, serveFile } from './serveFile.ts'

/**
 * The reference page of the public interface at `/docs`, everything on it served by us. Contract: section 1, other addresses.
 *
 * The page reads the OpenAPI document from below its own path, without a key: a browser that opens a page has none to show, and people
 * read a reference before they have one. The document holds no secret; it is the same for every key and comes with the source.
 */
export function referencePage(document: unknown): Door {
  const files: Record<string, ServedFile> = {
    '/docs': { type: 'text/html; charset=utf-8', headers: pageHeaders, read: async () => Buffer.from(page) },
    '/docs/openapi.json': { type: 'application/json; charset=utf-8', read: async () => Buffer.from(JSON.stringify(document)) },
    '/docs/viewer.js': { type: 'text/javascript; charset=utf-8', read: referenceViewer },
  }
  return {
    paths: Object.keys(files).map((path) => ({ path, methods: ['GET', 'HEAD'] })),
    plugin: async (app: FastifyInstance) => {
      for (const [path, file] of Object.entries(files)) {
        app.route({ method: ['GET', 'HEAD'], url: path, handler: serveFile(file) })
      }
    },
  }
}

/** No script but our own file, and no connection but to us. The viewer writes its own styles, which no hash could follow. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const pageHeaders = {
  'Content-Security-Policy': contentSecurityPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
}

/** Whatever the viewer would fetch from or send to others is off. Requests that it tries go to the origin of the page. */
const viewerConfiguration = {
  servers: [{ url: '/api/v1' }],
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'json',
  orderSchemaPropertiesBy: 'preserve',
}

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Atelier API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <noscript>This page needs JavaScript. The description itself is at <a href="/docs/openapi.json">/docs/openapi.json</a>.</noscript>
    <script id="api-reference" type="application/json" data-url="/docs/openapi.json" data-configuration="${attribute(viewerConfiguration)}"></script>
    <script src="/docs/viewer.js"></script>
  </body>
</html>
`

function attribute(value: object): string {
  return JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
