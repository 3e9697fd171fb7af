import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { storageKinds, type TestStorage, testFolder } from './storages.ts'

describe.each(storageKinds())('%s', (_name, open) => {
  let opened: TestStorage
  let folder: string
  let path: string

  beforeEach(async () => {
    opened = await open()
    folder = await testFolder()
    path = join(folder, 'finished')
    await writeFile(path, 'content')
  })
  afterEach(async () => {
    await opened.dispose()
    await rm(folder, { recursive: true })
  })

  test('a taken file becomes an object in new folders', async () => {
    await opened.storage.take('results/2026/a', path, { contentType: 'image/png' })

    expect(await text(await opened.storage.open('results/2026/a'))).toBe('content')
    expect(await opened.contents()).toEqual(['results/2026/a'])
  })

  test('a taken file replaces an older object as a whole', async () => {
    await opened.storage.put('a', Readable.from(['the older and longer content']))

    await opened.storage.take('a', path)

    expect(await text(await opened.storage.open('a'))).toBe('content')
    expect(await opened.contents()).toEqual(['a'])
  })

  test('taking a missing file or a folder is refused and keeps the older object', async () => {
    await opened.storage.put('a', Readable.from(['older']))
    await mkdir(join(folder, 'folder'))

    await expect(opened.storage.take('a', join(folder, 'absent'))).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(opened.storage.take('a', join(folder, 'folder'))).rejects.toThrow(/EISDIR|ENOTDIR/)

    expect(await text(await opened.storage.open('a'))).toBe('older')
    expect(await opened.contents()).toEqual(['a'])
  })

  test.each(['../a', '/a', '.writing/a', ''])('taking a file under the key %j is refused', async (key) => {
    await expect(opened.storage.take(key, path)).rejects.toBeInstanceOf(RangeError)

    expect(await opened.contents()).toEqual([])
  })
})
