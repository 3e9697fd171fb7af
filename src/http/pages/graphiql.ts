import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ServedFile, serveFile } from './serveFile.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Returns the GraphiQL page and its files by path. They contain no data and load nothing from other hosts. The page asks for a service token.
 * Contract: docs/contract.md#introspection.
 */
export function graphiql(): Record<string, Handler> {
  const script = 'text/javascript; charset=utf-8'
  const files: Record<string, ServedFile> = {
    '/graphql': { type: 'text/html; charset=utf-8', headers: pageHeaders, read: async () => Buffer.from(page) },
    '/graphql/start.js': { type: script, read: async () => Buffer.from(start) },
    '/graphql/graphiql.js': { type: script, read: part('js') },
    '/graphql/graphiql.css': { type: 'text/css; charset=utf-8', read: part('css') },
    '/graphql/editor.worker.js': { type: script, headers: workerHeaders, read: part('editorWorkerService') },
    '/graphql/graphql.worker.js': { type: script, headers: workerHeaders, read: part('graphqlWorker') },
    '/graphql/json.worker.js': { type: script, headers: workerHeaders, read: part('jsonWorker') },
  }
  return Object.fromEntries(Object.entries(files).map(([path, file]) => [path, serveFile(file)]))
}

/** The package is nine megabytes, so it is loaded at the first request. */
function part(name: 'js' | 'css' | 'editorWorkerService' | 'graphqlWorker' | 'jsonWorker') {
  return async () => Buffer.from((await import('@graphql-yoga/render-graphiql/graphiql'))[name])
}

/** Allows only our own script files and connections to this origin. The editor writes inline styles, whose hashes are not known. */
const pageHeaders = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
}

/** A worker has its own policy. The workers of the editor make no requests. */
const workerHeaders = { 'Content-Security-Policy': "default-src 'none'" }

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Atelier GraphiQL</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/graphql/graphiql.css">
    <style>
      html, body, #root { height: 100%; margin: 0; overflow: hidden }
      form { display: grid; gap: 0.75rem; max-width: 26rem; margin: 15vh auto 0; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }
      form h1, form p { margin: 0 }
      form input, form button { font: inherit; padding: 0.5rem }
    </style>
  </head>
  <body>
    <noscript>This page needs JavaScript. The schema is printed by <code>atelier schema</code>.</noscript>
    <main>
      <form>
        <h1>GraphiQL</h1>
        <label for="token">Service token</label>
        <input id="token" type="password" autocomplete="off" spellcheck="false" autofocus aria-describedby="use">
        <p id="use">Kept in the memory of this page only, and sent with its requests. With an embedded database, this machine reads the schema
          without a token.</p>
        <button>Open</button>
      </form>
    </main>
    <div id="root"></div>
    <script src="/graphql/graphiql.js"></script>
    <script src="/graphql/start.js"></script>
  </body>
</html>
`

/**
 * `omit`: only the token authenticates, never the session of a person who is signed in. Typed headers may contain a token, so they are not
 * persisted.
 */
const configuration = {
  title: 'Atelier',
  logo: '<span></span>',
  endpoint: '/graphql',
  credentials: 'omit',
  shouldPersistHeaders: false,
  defaultQuery: '{\n  viewer {\n    kind\n  }\n}\n',
}

/** Drops the query of the address first: a link must not prepare a document that then runs with the token. */
const start = `const workers = { json: 'json', graphql: 'graphql' }
self.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_module, label) => '/graphql/' + (workers[label] ?? 'editor') + '.worker.js',
}
history.replaceState(null, '', location.pathname)
document.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault()
  const token = document.querySelector('#token').value.trim()
  document.querySelector('main').remove()
  const additionalHeaders = token === '' ? {} : { Authorization: 'Bearer ' + token }
  YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), { ...${JSON.stringify(configuration)}, additionalHeaders })
})
`
