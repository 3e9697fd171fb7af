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

test('the links of the package are created beside its libraries, in a folder of any name', async () => {
  expect(await linkLibraries(folder)).toBe(true)
  expect(await readlink(join(folder, 'lib/libink.so'))).toBe('libink.so.6.1')
  expect(await readlink(join(folder, 'lib/libink.so.6'))).toBe('libink.so.6.1')
})

test('processes that start at the same time, or again, find the folder complete', async () => {
  expect(await Promise.all(Array.from({ length: 8 }, () => linkLibraries(folder)))).toEqual(Array.from({ length: 8 }, () => true))
  expect(await linkLibraries(folder)).toBe(true)
  expect(await readdir(join(folder, 'lib'))).toHaveLength(3)
})

test('a package without a list needs no links', async () => {
  await rm(join(folder, 'pg-symlinks.json'))
  expect(await linkLibraries(folder)).toBe(true)
})

// Root may write to any folder; this one refuses writes for another reason.
test.skipIf(process.platform !== 'linux')('a read-only folder is reported as incomplete', async () => {
  await listLinks([{ source: 'native/lib/libink.so.6.1', target: `native/lib/${'n'.repeat(300)}` }])
  expect(await linkLibraries(folder)).toBe(false)
})
