import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const unavailable = 'atelier: the admin UI was not built and /integrations is unavailable; npm ci && npm run build makes it\n'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'no-admin-ui-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['bin', 'scripts/prepare.js', 'scripts/linkNode.js']) cpSync(join(root, name), join(folder, name), { recursive: true })
  write('package.json', '{"type":"module"}')
  write('src/cli/main.ts', `console.log('service')`)
})

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function run(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('without the tools of development npm ci builds no admin UI and says so; the service starts without one', () => {
  expect(run('scripts/prepare.js')).toEqual({
    status: 0,
    stdout: 'admin UI: not built: the development packages are not installed\n',
    stderr: '',
  })
  expect(run('bin/atelier.js', 'start')).toEqual({ status: 0, stdout: 'service\n', stderr: unavailable })
})

test('where only the bundle is missing, the start builds it', () => {
  mkdirSync(join(folder, 'node_modules/@vitejs/plugin-react'), { recursive: true })
  write('scripts/release/buildAdminUi.ts', `console.log('built')`)
  expect(run('bin/atelier.js', 'serve')).toEqual({ status: 0, stdout: 'service\n', stderr: 'built\n' })
})

test('a build that fails ends npm ci, and no start', () => {
  mkdirSync(join(folder, 'node_modules/@vitejs/plugin-react'), { recursive: true })
  write('scripts/release/buildAdminUi.ts', 'process.exit(3)')
  expect(run('scripts/prepare.js').status).toBe(3)
  expect(run('bin/atelier.js', 'start')).toEqual({ status: 0, stdout: 'service\n', stderr: unavailable })
})

test.each([[['start', '--help']], [['work']], [['doctor']]])('%j asks for no admin UI', (words) => {
  expect(run('bin/atelier.js', ...words)).toEqual({ status: 0, stdout: 'service\n', stderr: '' })
})
