import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { restoreObjects } from '../../src/backup/restoreObjects.ts'
import { openTarget } from '../../src/backup/target.ts'
import { diskStorage } from '../../src/storage/disk.ts'
import { memoryFolder } from '../support/memoryFolder.ts'

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
])('a link in a backup brings no file of this machine into a storage: $linked', async ({ link }) => {
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

test('the folder of a backup itself may be a link', async () => {
  const folder = await aFolder()
  await writeFile(join(folder, 'one'), 'here')
  const link = join(await aFolder(), 'link')
  await symlink(folder, link)
  expect((await (await opened(link)).read('one')).toString()).toBe('here')
})
