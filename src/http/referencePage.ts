import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Door } from './door.ts'
import { referenceViewer } from './referenceViewer.ts'
import { type ServedFile, serveFile } from './serveFile.ts'

export type ReferencePageOptions = {
  /** The description is for everybody; else the page asks for a key that may read it. */
  open: boolean
  /** Counts a request. Refusals: rate_limited. */
  count(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/**
 * The reference page of the public interface at `/docs`, everything on it served by us. Contract: section 1, other addresses.
 *
 * Where the description is open the page reads a copy of it from below its own path, without a key. Elsewhere the page is a form that
 * asks for a key, reads the description with it as every client does, and tries requests with it; the key stays in the page's memory.
 */
export function referencePage(document: unknown, { open, count }: ReferencePageOptions): Door {
  const html = { type: 'text/html; charset=utf-8', headers: pageHeaders }
  const script = 'text/javascript; charset=utf-8'
  const files: Record<string, ServedFile> = {
    '/docs/viewer.js': { type: script, read: referenceViewer },
    ...(open
      ? {
          '/docs': { ...html, read: async () => Buffer.from(openPage) },
          '/docs/openapi.json': { type: 'application/json; charset=utf-8', read: async () => Buffer.from(JSON.stringify(document)) },
        }
      : {
          '/docs': { ...html, read: async () => Buffer.from(closedPage) },
          '/docs/start.js': { type: script, read: async () => Buffer.from(start) },
        }),
  }
  return {
    paths: Object.keys(files).map((path) => ({ path, methods: ['GET', 'HEAD'] })),
    plugin: async (app: FastifyInstance) => {
      for (const [path, file] of Object.entries(files)) {
        app.route({ method: ['GET', 'HEAD'], url: path, onRequest: count, handler: serveFile(file) })
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
  persistAuth: false,
  documentDownloadType: 'json',
  orderSchemaPropertiesBy: 'preserve',
}

const head = `<meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Atelier API</title>
    <link rel="icon" href="data:,">`

const openPage = `<!doctype html>
<html lang="en">
  <head>
    ${head}
  </head>
  <body>
    <noscript>This page needs JavaScript. The description itself is at <a href="/docs/openapi.json">/docs/openapi.json</a>.</noscript>
    <script id="api-reference" type="application/json" data-url="/docs/openapi.json" data-configuration="${attribute(viewerConfiguration)}"></script>
    <script src="/docs/viewer.js"></script>
  </body>
</html>
`

const closedPage = `<!doctype html>
<html lang="en">
  <head>
    ${head}
    <style>
      body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color-scheme: light dark }
      form { max-width: 30rem; margin: 15vh auto; padding: 0 1rem; display: grid; gap: 0.75rem }
      input, button { font: inherit; padding: 0.5rem }
      [role="alert"]:empty { display: none }
    </style>
  </head>
  <body>
    <noscript>This page needs JavaScript. The description itself is at /api/v1/openapi.json, for a key with the scope catalog:read.</noscript>
    <form id="ask" data-configuration="${attribute(viewerConfiguration)}">
      <h1>Atelier API</h1>
      <label for="key">API key</label>
      <input id="key" type="password" autocomplete="off" spellcheck="false" required aria-describedby="use">
      <small id="use">A key with the scope catalog:read. It stays in this page, which also tries requests with it, and is forgotten when you leave.</small>
      <p role="alert" id="refusal"></p>
      <button>Open the reference</button>
    </form>
    <div id="reference"></div>
    <script src="/docs/viewer.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`

/** Where the closed page begins. It holds the key in a variable alone and sends it to this origin alone. */
const start = `const form = document.querySelector('#ask')
const refusal = document.querySelector('#refusal')
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  refusal.textContent = ''
  const field = document.querySelector('#key')
  const token = field.value.trim()
  try {
    const answer = await fetch('/api/v1/openapi.json', { headers: { Authorization: 'Bearer ' + token }, cache: 'no-store', credentials: 'omit' })
    const content = await answer.json()
    if (!answer.ok) throw new Error(content.error.message)
    const configuration = JSON.parse(form.dataset.configuration)
    field.value = ''
    form.remove()
    Scalar.createApiReference('#reference', {
      ...configuration,
      content,
      authentication: { preferredSecurityScheme: 'key', securitySchemes: { key: { token } } },
    })
  } catch (error) {
    refusal.textContent = error.message
  }
})
`

function attribute(value: object): string {
  return JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
