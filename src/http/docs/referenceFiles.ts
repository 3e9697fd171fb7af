import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Fastify from 'fastify'
import type { ServedFile } from '../pages/serveFile.ts'
import { escapeHtml } from './escapeHtml.ts'
import { guidesPath } from './guides.ts'
import { pageHeaders } from './pageHeaders.ts'
import { bar, pageHead, referencePath } from './renderPage.ts'

/**
 * Returns the files of the API reference at `/docs` by path. Contract: docs/contract.md#documentation-site.
 *
 * With `open`, the page lists the operations and loads the OpenAPI document without a key. Otherwise the page asks for a key and uses it to
 * load the document and to try requests. The key stays in the memory of the page. The viewer is loaded when the reader opens it.
 */
export function referenceFiles(document: unknown, { open }: { open: boolean }): Record<string, ServedFile> {
  const html = { type: 'text/html; charset=utf-8', headers: pageHeaders({ ownStyles: true }) }
  const script = 'text/javascript; charset=utf-8'
  return {
    '/docs/viewer.js': { type: script, read: referenceViewer },
    '/docs/start.js': { type: script, read: () => readFile(join(import.meta.dirname, 'browser/start.js')) },
    ...(open
      ? {
          '/docs': { ...html, read: async () => Buffer.from(page(openBody(document))) },
          '/docs/openapi.json': { type: 'application/json; charset=utf-8', read: async () => Buffer.from(JSON.stringify(document)) },
        }
      : {
          '/docs': { ...html, read: async () => Buffer.from(page(closedBody)) },
        }),
  }
}

/** All features of the viewer that contact other hosts are off. Trial requests go to the origin of the page. */
const viewerConfiguration = {
  servers: [{ url: '/api/v1' }],
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  // The bar of the site already has a search field, which searches the guides.
  hideSearch: true,
  persistAuth: false,
  documentDownloadType: 'json',
  orderSchemaPropertiesBy: 'preserve',
}

const configuration = escapeHtml(JSON.stringify(viewerConfiguration))

function page(body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    ${pageHead({ title: 'Atelier API', styles: ['bar.css', 'reference.css'], scripts: ['bar.js'] })}
  </head>
  <body>
    ${bar(referencePath, { asksKey: false })}
    ${body}
  </body>
</html>
`
}

/** Both forms load the viewer, the largest file of the site, only when it is asked for. */
const openBody = (
  document: unknown,
) => `<form id="ask" data-viewer="/docs/viewer.js" data-configuration="${configuration}" data-url="/docs/openapi.json">
      <h1>Atelier API</h1>
      <small>The OpenAPI document is at <a href="/docs/openapi.json">/docs/openapi.json</a>. The guide <a href="${guidesPath}/api">REST API</a> explains it.</small>
      <p role="alert" id="refusal"></p>
      <button>Open the interactive reference</button>
    </form>
    <div id="reference">${operationsOf(document)}</div>
    <script type="module" src="/docs/start.js"></script>`

const closedBody = `<noscript>This page needs JavaScript. The OpenAPI document is at /api/v1/openapi.json, for a key with the scope catalog:read.</noscript>
    <form id="ask" data-viewer="/docs/viewer.js" data-configuration="${configuration}" data-url="/api/v1/openapi.json">
      <h1>Atelier API</h1>
      <label for="key">API key</label>
      <input id="key" type="password" autocomplete="off" spellcheck="false" required aria-describedby="use">
      <small id="use">A key with the scope catalog:read. This page also uses it to try requests. It is kept only until you leave the page.</small>
      <p role="alert" id="refusal"></p>
      <button>Open the reference</button>
    </form>
    <div id="reference"></div>
    <script type="module" src="/docs/start.js"></script>`

type Operations = Record<string, Record<string, { summary?: string }>>

/** Lists the operations, for readers without JavaScript and for search engines. */
function operationsOf(document: unknown): string {
  const { paths = {} } = document as { paths?: Operations }
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { summary = '' }]) =>
      /^(?:get|post|put|patch|delete)$/.test(method)
        ? `<tr><td><code>${method.toUpperCase()} ${escapeHtml(path)}</code></td><td>${escapeHtml(summary)}</td></tr>`
        : [],
    ),
  )
  return rows.length === 0 ? '' : `<table id="operations"><tbody>${rows.join('')}</tbody></table>`
}

/**
 * Returns the script of the viewer, loaded at the first request because it is large. Its package exports it only through a route of a
 * Fastify plugin, whose page would violate our content security policy. The bare viewer package has 280 dependencies.
 */
async function referenceViewer(): Promise<Buffer> {
  const { default: viewer } = await import('@scalar/fastify-api-reference')
  const stage = Fastify()
  await stage.register(viewer, { routePrefix: '/viewer', configuration: { url: '/unused' } })
  const { statusCode, rawPayload } = await stage.inject('/viewer/js/scalar.js')
  if (statusCode !== 200) throw new Error('the viewer plugin does not serve its script')
  return rawPayload
}
