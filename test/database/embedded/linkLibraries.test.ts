import { mkdir, mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { linkLibraries } from '../../../src/database/embedded/linkLibraries.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'libraries-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'lib'))
  await writeFile(join(folder, 'lib/libink.so.6.1'), '')
  await listLinks([
    { source: 'native/lib/libink.so.6.1', target: 'native/lib/libink.so' },
    { source: 'native/lib/libink.so.6.1', target: 'native/lib/libink.so.6' },
  ])
})

const listLinks = (links: { source: string; target: string }[]) => writeFile(join(folder, 'pg-symlinks.json'), JSON.stringify(links))

test('the links that the package lists are made beside its libraries, whatever the folder is called', async () => {
  expect(await linkLibraries(folder)).toBe(true)
  expect(await readlink(join(folder, 'lib/libink.so'))).toBe('libink.so.6.1')
  expect(await readlink(join(folder, 'lib/libink.so.6'))).toBe('libink.so.6.1')
})

test('processes that start at once, or again, all find the folder complete', async () => {
  expect(await Promise.all(Array.from({ length: 8 }, () => linkLibraries(folder)))).toEqual(Array.from({ length: 8 }, () => true))
  expect(await linkLibraries(folder)).toBe(true)
  expect(await readdir(join(folder, 'lib'))).toHaveLength(3)
})

test('a package without a list needs no links', async () => {
  await rm(join(folder, 'pg-symlinks.json'))
  expect(await linkLibraries(folder)).toBe(true)
})

// Root may write to any folder, so this one takes nothing for another reason.
test.skipIf(process.platform !== 'linux')('a folder that cannot be written to is said to be incomplete', async () => {
  await listLinks([{ source: 'native/lib/libink.so.6.1', target: `native/lib/${'n'.repeat(300)}` }])
  expect(await linkLibraries(folder)).toBe(false)
})
