import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Fastify from 'fastify'
import type { ServedFile } from '../pages/serveFile.ts'
import { escapeHtml } from './escapeHtml.ts'
import { guidesPath } from './guides.ts'
import { pageHeaders } from './pageHeaders.ts'
import { type Example, renderTabs } from './renderExamples.ts'
import { bar, pageHead, referencePath } from './renderPage.ts'
import { codeSamples } from './samples/codeSamples.ts'

/**
 * Returns the files of the API reference at `/docs` by path. Contract: docs/contract.md#documentation-site.
 *
 * With `open`, the page lists the operations and loads the OpenAPI document without a key. Otherwise the page asks for a key and uses it to
 * load the document and to try requests. The key stays in the memory of the page. The viewer is loaded when the reader opens it. Both show
 * each operation in the languages of our clients. `publicUrl`: the service's address in them.
 */
export function referenceFiles(document: unknown, { open, publicUrl }: { open: boolean; publicUrl: string }): Record<string, ServedFile> {
  const samples = codeSamples(document, publicUrl)
  const html = { type: 'text/html; charset=utf-8', headers: pageHeaders({ ownStyles: true }) }
  const script = 'text/javascript; charset=utf-8'
  return {
    '/docs/viewer.js': { type: script, read: referenceViewer },
    '/docs/start.js': { type: script, read: () => readFile(join(import.meta.dirname, 'browser/start.js')) },
    '/docs/samples.json': { type: 'application/json; charset=utf-8', read: async () => Buffer.from(JSON.stringify(forViewer(samples))) },
    ...(open
      ? {
          '/docs': { ...html, read: async () => Buffer.from(page(openBody(operationsOf(document, samples, publicUrl)))) },
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
  // Each operation has samples of our own clients.
  hiddenClients: true,
  persistAuth: false,
  documentDownloadType: 'json',
  orderSchemaPropertiesBy: 'preserve',
}

const configuration = escapeHtml(JSON.stringify(viewerConfiguration))

function page(body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    ${pageHead({ title: 'Atelier API', styles: ['bar.css', 'examples.css', 'reference.css'], scripts: ['bar.js', 'samples.js'] })}
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
  operations: string,
) => `<form id="ask" data-viewer="/docs/viewer.js" data-samples="/docs/samples.json" data-configuration="${configuration}" data-url="/docs/openapi.json">
      <h1>Atelier API</h1>
      <small>The OpenAPI document is at <a href="/docs/openapi.json">/docs/openapi.json</a>. The guide <a href="${guidesPath}/api">REST API</a> explains it.</small>
      <p role="alert" id="refusal"></p>
      <button>Open the interactive reference</button>
    </form>
    <div id="reference">${operations}</div>
    <p id="copied" role="status" class="unseen"></p>
    <script type="module" src="/docs/start.js"></script>`

const closedBody = `<noscript>This page needs JavaScript. The OpenAPI document is at /api/v1/openapi.json, for a key with the scope catalog:read.</noscript>
    <form id="ask" data-viewer="/docs/viewer.js" data-samples="/docs/samples.json" data-configuration="${configuration}" data-url="/api/v1/openapi.json">
      <h1>Atelier API</h1>
      <label for="key">API key</label>
      <input id="key" type="password" autocomplete="off" spellcheck="false" required aria-describedby="use">
      <small id="use">A key with the scope catalog:read. This page also uses it to try requests. It is kept only until you leave the page.</small>
      <p role="alert" id="refusal"></p>
      <button>Open the reference</button>
    </form>
    <div id="reference"></div>
    <script type="module" src="/docs/start.js"></script>`

type Samples = Record<string, Example[]>
type Operations = Record<string, Record<string, { operationId?: string; summary?: string }>>

/** Lists the operations with their code, for readers who do not open the viewer, or have no JavaScript, and for search engines. */
function operationsOf(document: unknown, samples: Samples, origin: string): string {
  const { paths = {} } = document as { paths?: Operations }
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId = '', summary = '' }]) => {
      if (!/^(?:get|post|put|patch|delete)$/.test(method)) return []
      const title = `<code>${method.toUpperCase()} ${escapeHtml(path)}</code> ${escapeHtml(summary)}`
      const code = samples[operationId]
      if (!code) return `<p>${title}</p>`
      return `<details id="${escapeHtml(operationId)}"><summary>${title}</summary>${renderTabs(code, { id: `code-${operationId}`, origin })}</details>`
    }),
  )
  return rows.length === 0 ? '' : `<div id="operations">${rows.join('')}</div>`
}

const viewerLanguages: Record<string, { lang: string; label: string }> = {
  sh: { lang: 'shell', label: 'curl' },
  ts: { lang: 'typescript', label: 'TypeScript' },
  python: { lang: 'python', label: 'Python' },
  cli: { lang: 'shell', label: 'Command line' },
}

/** In the form of `x-codeSamples`. The page adds them to the OpenAPI document, which programs read without them. */
function forViewer(samples: Samples): Record<string, object[]> {
  const entries = Object.entries(samples).map(([operationId, examples]): [string, object[]] => [
    operationId,
    examples.map(({ language, code }) => ({ ...viewerLanguages[language], source: code })),
  ])
  return Object.fromEntries(entries)
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
