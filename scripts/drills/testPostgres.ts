import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

/**
 * Runs every test that uses PostgreSQL on another server's programs, whose folder is the argument: `/usr/lib/postgresql/15/bin` where
 * Debian puts its 15. Those that prove the embedded one itself stay with it.
 */
const [programs] = process.argv.slice(2)
if (programs === undefined) {
  process.stderr.write('npm run test:postgres -- <folder of initdb and postgres>\n')
  process.exit(2)
}
const vitest = join(createRequire(import.meta.url).resolve('vitest/package.json'), '..', 'vitest.mjs')
const env = { ...process.env, TEST_POSTGRES_PROGRAMS: resolve(programs) }
const running = spawn(process.execPath, [vitest, 'related', 'test/support/database/database.ts', '--run'], { env, stdio: 'inherit' })
const [code] = await once(running, 'exit')
process.exitCode = typeof code === 'number' ? code : 1
