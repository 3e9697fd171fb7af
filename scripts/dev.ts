import { start } from '../src/cli/commands/serve.ts'
import { adminUiPaths } from '../src/http/pages/adminUi.ts'
import type { RouteGroup } from '../src/http/routeGroup.ts'
import { viteOptions } from './release/adminUi.ts'

/**
 * Runs `atelier start` with the admin UI served from its sources by Vite, on the same port, with hot reload. Node restarts this program when
 * a source of the server changes.
 */
const adminUi: RouteGroup = {
  paths: adminUiPaths,
  plugin: async (app) => {
    const { createServer } = await import('vite')
    const vite = await createServer({ ...viteOptions, appType: 'spa', server: { middlewareMode: true, hmr: { server: app.server } } })
    app.addHook('onClose', () => vite.close())
    for (const { path } of adminUiPaths) {
      app.get(path, async (request, reply) => {
        reply.hijack()
        // A page of the UI, which routes in the browser.
        if (request.headers.accept?.includes('text/html')) request.raw.url = '/integrations/index.html'
        vite.middlewares(request.raw, reply.raw, () => reply.raw.writeHead(404).end())
      })
    }
  },
}

await import('./generate/generateUiTypes.ts')
process.umask(0o077)
process.exitCode = await start(adminUi)
