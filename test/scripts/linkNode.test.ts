import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'

const repository = join(import.meta.dirname, '../..')
const [pinned] = /[\w-]+(?=\/bin\/node$)/.exec(process.execPath.slice(join(repository, 'node_modules').length)) ?? []
const link = () => spawnSync(process.execPath, [join(folder, 'scripts/linkNode.js')], { encoding: 'utf8' })

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'link-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['bin/pinnedNode.js', 'scripts/linkNode.js']) cpSync(join(repository, name), join(folder, name))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
})

test.skipIf(pinned === undefined)('if npm created no link, scripts find the pinned Node as node, also when they run again', () => {
  install()
  for (const time of ['first', 'second']) {
    expect([time, link().stderr]).toEqual([time, ''])
    const { stdout } = spawnSync(join(folder, 'node_modules/.bin/node'), ['-p', 'process.execPath'], { encoding: 'utf8' })
    expect(stdout.trim()).toBe(process.execPath)
  }
})

test.skipIf(pinned === undefined)('a link that npm created is kept', () => {
  install()
  writeFileSync(join(folder, 'node_modules/.bin/node'), 'of npm')
  expect(link().status).toBe(0)
  expect(readFileSync(join(folder, 'node_modules/.bin/node'), 'utf8')).toBe('of npm')
})

test('on a platform without a pinned Node, scripts use the Node of the machine', () => {
  expect(link()).toMatchObject({ status: 0, stderr: '' })
})

function install(): void {
  symlinkSync(join(repository, 'node_modules', `${pinned}`), join(folder, 'node_modules', `${pinned}`))
}
