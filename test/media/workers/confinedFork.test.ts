import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Inspector, makeInspector } from '../../../src/media/inspector.ts'
import { type MediaFolder, makeMediaFolder } from '../../support/media/mediaFolder.ts'
import { sampleFile } from '../../support/media/sampleFile.ts'

const root = join(import.meta.dirname, '../../..')
let copy: string
let media: MediaFolder
let inspector: Inspector
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'linked-packages-'))
  media = await makeMediaFolder()
  await cp(join(root, 'src/media'), join(copy, 'src/media'), { recursive: true })
  await cp(join(root, 'package.json'), join(copy, 'package.json'))
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  const copied = await import(/* @vite-ignore */ pathToFileURL(join(copy, 'src/media/inspector.ts')).href)
  inspector = (copied.makeInspector as typeof makeInspector)({ imagePixelsMax: 1_000_000 })
})
afterAll(async () => {
  await inspector.close()
  await media.remove()
  await rm(copy, { recursive: true })
})

test('a worker reads its packages through a node_modules folder that is a symbolic link', async () => {
  const path = await media.write(await sampleFile('png'))
  expect(await inspector.inspect(path)).toMatchObject({ ok: true, mimeType: 'image/png' })
})
