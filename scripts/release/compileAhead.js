import { flushCompileCache } from 'node:module'

// Fills the cache of compiled modules for every role, for a place where the service may not write, such as an image. Run it as the account
// of the service and with the arguments of bin/atelier.js: Node keeps a cache for each account, and for each way to compile.
const modules = ['commands/serve', 'boot/httpRole', 'commands/migrate', 'doctor/doctor', 'commands/health', 'boot/openProviders']
for (const name of modules) await import(new URL(`../../src/cli/${name}.ts`, import.meta.url).href)
await import(new URL('../../src/jobs/runners/worker.ts', import.meta.url).href)
flushCompileCache()
