import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runNpm } from './runNpm.ts'

/**
 * Installs the packages of `test/package.json`, unless those of its lock file are installed. Drills and type checks run it first, so that
 * `npm ci`, `npm start` and `npm test` work without them.
 */
const folder = join(import.meta.dirname, '../test')
const installed = join(folder, 'node_modules/.installed-lock')
const lock = createHash('sha256')
  .update(readFileSync(join(folder, 'package-lock.json')))
  .digest('hex')

if (!existsSync(installed) || readFileSync(installed, 'utf8') !== lock) {
  process.stderr.write('Installing the packages of test/package.json, for drills and type checks.\n')
  const { status } = runNpm(['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status === 0) writeFileSync(installed, lock)
  process.exitCode = status ?? 1
}
