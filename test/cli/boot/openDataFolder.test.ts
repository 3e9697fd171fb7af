import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDataFolder } from '../../../src/cli/boot/openDataFolder.ts'
import { memoryFolder } from '../../support/processes/memoryFolder.ts'

const parent = await mkdtemp(join(memoryFolder(), 'atelier-data-'))
afterAll(() => rm(parent, { recursive: true, force: true }))
const warnings: object[] = []
const log = { debug() {}, info() {}, warn: (fields: object) => void warnings.push(fields), error() {} }
const modeOf = async (folder: string) => (await stat(folder)).mode & 0o1777

test.each([0o755, 0o777, 0o711, 0o750])('other accounts lose access to a data folder of mode %o', async (mode) => {
  const folder = join(parent, mode.toString(8))
  await mkdir(folder)
  await chmod(folder, mode)
  await openDataFolder(folder, log)
  expect(await modeOf(folder)).toBe(0o700)
})

test('a new data folder is private, with its new parent folders', async () => {
  await openDataFolder(join(parent, 'a', 'b'), log)
  expect([await modeOf(join(parent, 'a')), await modeOf(join(parent, 'a', 'b'))]).toEqual([0o700, 0o700])
  expect(warnings).toEqual([])
})

test('a shared folder is not changed, and logged', async () => {
  const folder = join(parent, 'shared')
  await mkdir(folder)
  await chmod(folder, 0o1777)
  await openDataFolder(folder, log)
  expect(await modeOf(folder)).toBe(0o1777)
  expect(warnings).toMatchObject([{ folder, reason: expect.any(String) }])
})
