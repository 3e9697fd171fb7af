import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

/**
 * Runs every test that uses PostgreSQL with the programs in the folder of the argument, such as `/usr/lib/postgresql/15/bin` on Debian.
 * Tests of the embedded PostgreSQL itself are not affected.
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
