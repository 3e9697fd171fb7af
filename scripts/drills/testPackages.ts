import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Packs the TypeScript client and lets `attw` check that every way of importing it finds the right types and files. `attw` comes from the
 * registry for this run, so that nobody else has to install it.
 */
const attw = '@arethetypeswrong/cli@0.18.5'
const client = join(import.meta.dirname, '../../clients/typescript')
const folder = mkdtempSync(join(tmpdir(), 'atelier-packages-'))
try {
  const name = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: client, encoding: 'utf8' }).trim()
  const { status } = spawnSync('npm', ['exec', '--yes', `--package=${attw}`, '--', 'attw', join(folder, name)], { stdio: 'inherit' })
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
