import { flushCompileCache } from 'node:module'

// Fills the cache of compiled modules for every role, where the service cannot write, such as in an image. Run it as the account of the
// service and with the arguments of bin/atelier.js: Node has a cache for each account and each set of compile options.
const modules = ['commands/serve', 'boot/httpRole', 'commands/migrate', 'doctor/doctor', 'commands/health', 'boot/openProviders']
for (const name of modules) await import(new URL(`../../src/cli/${name}.ts`, import.meta.url).href)
await import(new URL('../../src/jobs/runners/worker.ts', import.meta.url).href)
flushCompileCache()
