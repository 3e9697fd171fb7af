import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const script = join(import.meta.dirname, '../../../scripts/release/release.ts')

test('`--all` without buildah refuses to start, and names the ways on', () => {
  const { status, stderr } = spawnSync(process.execPath, [script, '--all'], { env: { PATH: '/nowhere' }, encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, expect.stringMatching(/buildah, which is not installed.*--no-image/)])
})
