import { link, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeScratchFolder, preservedPrefix, type ScratchFolder } from '../../../src/media/workers/scratchFolder.ts'

const isRoot = process.getuid?.() === 0
let folder: string
let secret: string
let scratch: ScratchFolder

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scratch-test-'))
  secret = join(folder, 'secret')
  await writeFile(secret, 'the secret', { mode: 0o600 })
  scratch = await makeScratchFolder(join(folder, 'scratch'), { account: isRoot ? { uid: 61_999, gid: 61_999 } : undefined, mayWrite: true })
})
afterEach(() => rm(folder, { recursive: true }))

test('a file of the worker is taken completely', async () => {
  await writeFile(join(scratch.path, 'result'), 'made')
  const file = await scratch.take('result')
  await scratch.clear()
  expect(await file?.readFile('utf8')).toBe('made')
  await file?.close()
  expect(await scratch.take('result')).toBeUndefined()
})

test('a symbolic link, a hard link and a folder are not taken as a result', async () => {
  const result = join(scratch.path, 'result')
  const lay = [() => symlink(secret, result), () => link(secret, result), () => mkdir(result)]
  for (const make of lay) {
    await make()
    await expect(scratch.take('result')).rejects.toThrow(/ELOOP|regular file/)
    await scratch.clear()
  }
  expect(await readFile(secret, 'utf8')).toBe('the secret')
})

test('lent content is readable by the worker, and nothing of it is left for the next content', async () => {
  await scratch.lend('file', Buffer.from('content'))
  const path = join(scratch.path, 'file')
  const { mode, gid } = await lstat(path)
  const own = process.getgid?.()
  expect([await readFile(path, 'utf8'), mode & 0o777, gid]).toEqual(['content', ...(isRoot ? [0o640, 61_999] : [0o600, own])])
  await scratch.clear()
  expect(await readFile(path, 'utf8')).toBe('')
  await scratch.lend('file', Buffer.from('next'))
  expect(await readFile(path, 'utf8')).toBe('next')
  await scratch.remove()
  expect(await readdir(folder)).toEqual(['secret'])
})

test.each([true, false])('after a failure to set the rights of lent content, the next is readable (may write: %s)', async (mayWrite) => {
  const account = isRoot ? { uid: 61_999, gid: 61_999 } : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  const { gid } = account
  const other = await makeScratchFolder(join(folder, 'other'), { account, mayWrite })
  account.gid = -5
  await expect(other.lend('file', Buffer.from('content'))).rejects.toThrow('out of range')
  account.gid = gid
  await other.clear()
  await other.lend('file', Buffer.from('next'))
  const path = join(other.path, 'file')
  const stat = await lstat(path)
  expect([await readFile(path, 'utf8'), stat.mode & 0o777, stat.gid]).toEqual(['next', 0o640, gid])
  await other.remove()
})

test('a lent file is unchanged when it is returned, and only start files stay', async () => {
  const before = await lstat(secret)
  await writeFile(join(scratch.path, `${preservedPrefix}fonts.conf`), 'fonts')
  await scratch.lend('file', secret)
  expect((await lstat(join(scratch.path, 'file'))).gid).toBe(isRoot ? 61_999 : before.gid)
  await scratch.clear()
  const { mode, uid, gid, nlink } = await lstat(secret)
  expect({ mode, uid, gid, nlink }).toEqual({ mode: before.mode, uid: before.uid, gid: before.gid, nlink: 1 })
  expect(await readdir(scratch.path)).toEqual([`${preservedPrefix}fonts.conf`])
})

test('a folder that its worker cannot write is empty after each task', async () => {
  const account = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  const other = await makeScratchFolder(join(folder, 'other'), { account, mayWrite: false })
  await other.lend('file', secret)
  await expect(other.lend('gone', join(folder, 'missing'))).rejects.toThrow('ENOENT')
  await expect(other.lend('file', secret)).rejects.toThrow('EEXIST')
  await other.clear()
  expect(await readdir(other.path)).toEqual([])
  await other.lend('file', secret)
  expect(await readFile(join(other.path, 'file'), 'utf8')).toBe('the secret')
  await other.remove()
})
