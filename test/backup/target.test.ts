import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { restoreObjects } from '../../src/backup/restoreObjects.ts'
import { openTarget } from '../../src/backup/target.ts'
import { diskStorage } from '../../src/storage/disk.ts'
import { memoryFolder } from '../support/processes/memoryFolder.ts'

const aFolder = async () => {
  const folder = await mkdtemp(join(memoryFolder(), 'atelier-target-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const opened = async (folder: string) => {
  const target = await openTarget(folder)
  onTestFinished(() => target.storage.close())
  return target.storage
}

test.for([
  { linked: 'the file', link: 'objects/results/gen_1/env' },
  { linked: 'a folder above it', link: 'objects/results/gen_1' },
])('a restore does not follow a symbolic link in a backup: $linked', async ({ link }) => {
  const machine = await aFolder()
  await writeFile(join(machine, 'env'), 'SECRET_KEY=')
  const folder = await aFolder()
  const target = await opened(folder)
  const list = await target.put('snapshots/one/objects.tsv', Readable.from([Buffer.from('results/gen_1/env\t\\N\t\\N\tf\n')]))
  const isFile = link.endsWith('/env')
  await mkdir(join(folder, link, '..'), { recursive: true })
  await symlink(isFile ? join(machine, 'env') : machine, join(folder, link))
  const storage = diskStorage({ folder: await aFolder() })
  onTestFinished(() => storage.close())
  const objects = { list, count: 1, bytes: 0, copied: 0, copiedBytes: 0, missingCount: 0, missing: [] }
  const manifest = { objects } as unknown as Parameters<typeof restoreObjects>[1]
  expect(await restoreObjects({ target, storage }, manifest)).toMatchObject({ copied: 0, missingNamed: ['results/gen_1/env'] })
  expect(await target.size('objects/results/gen_1/env')).toBeUndefined()
  expect(await storage.size('results/gen_1/env')).toBeUndefined()
})

test('the folder of a backup itself may be a symbolic link', async () => {
  const folder = await aFolder()
  await writeFile(join(folder, 'one'), 'here')
  const link = join(await aFolder(), 'link')
  await symlink(folder, link)
  expect((await (await opened(link)).read('one')).toString()).toBe('here')
})

test.for([{ link: 'objects' }, { link: 'objects/results' }])(
  'a symbolic link in a backup allows no write or removal through it: $link',
  async ({ link }) => {
    const live = await aFolder()
    const below = join(live, link === 'objects' ? 'results/gen_1' : 'gen_1')
    await mkdir(below, { recursive: true })
    await writeFile(join(below, '1'), 'alive')
    const folder = await aFolder()
    const target = await opened(folder)
    await mkdir(join(folder, link, '..'), { recursive: true })
    await symlink(live, join(folder, link))
    await expect(target.put('objects/results/gen_1/1', Readable.from([Buffer.from('other')]))).rejects.toThrow(RangeError)
    await target.remove('objects/results/gen_1/1')
    expect(await readFile(join(below, '1'), 'utf8')).toBe('alive')
    expect(await readdir(below)).toEqual(['1'])
  },
)

test('temporary files of a backup stay in its folder', async () => {
  const [elsewhere, folder] = [await aFolder(), await aFolder()]
  const target = await opened(folder)
  await symlink(elsewhere, join(folder, '.writing'))
  await expect(target.put('one', Readable.from([Buffer.from('other')]))).rejects.toThrow(RangeError)
  expect(await readdir(elsewhere)).toEqual([])
})

test('a symbolic link in place of an object is removed itself, or replaced by a write', async () => {
  const [elsewhere, folder] = [await aFolder(), await aFolder()]
  const target = await opened(folder)
  await writeFile(join(elsewhere, 'one'), 'alive')
  for (const key of ['one', 'two']) await symlink(join(elsewhere, 'one'), join(folder, key))
  await target.remove('one')
  await target.put('two', Readable.from([Buffer.from('other')]))
  expect(await readFile(join(elsewhere, 'one'), 'utf8')).toBe('alive')
  expect(await readFile(join(folder, 'two'), 'utf8')).toBe('other')
})
