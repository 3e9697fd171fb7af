import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { diskStorage } from '../../src/storage/disk.ts'
import { ObjectNotFound } from '../../src/storage/storage.ts'
import { temporaryName } from '../../src/storage/temporaryFiles.ts'
import { relayStderr } from '../support/processes/relayStderr.ts'
import { filesIn, testFolder } from './storages.ts'

let folder: string

beforeEach(async () => {
  folder = await testFolder()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Starts a storage on the folder, including its sweep at the start. */
async function startOnce(): Promise<void> {
  await diskStorage({ folder }).close()
}

async function leaveTemporary(name: string, ageMinutes: number): Promise<void> {
  await mkdir(join(folder, '.writing'), { recursive: true })
  const path = join(folder, '.writing', name)
  const time = new Date(Date.now() - ageMinutes * 60_000)
  await writeFile(path, 'half')
  await utimes(path, time, time)
}

async function numberOfDeadProcess(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  return child.pid ?? 0
}

test('a killed writer leaves no object, and the next start removes its temporary files', async () => {
  const writer = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { PassThrough } from 'node:stream'
       import { diskStorage } from ${JSON.stringify(new URL('../../src/storage/disk.ts', import.meta.url).href)}
       const source = new PassThrough()
       diskStorage({ folder: process.argv[1] }).put('a', source)
       source.write('half')
       setInterval(() => {}, 1000)`,
      folder,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  relayStderr(writer)
  await expect.poll(() => filesIn(folder), { timeout: 10_000 }).toHaveLength(1)
  writer.kill('SIGKILL')
  await once(writer, 'exit')

  await startOnce()

  expect(await filesIn(folder)).toEqual([])
})

test('a start removes files of dead writers at once, and of unknown writers after an hour', async () => {
  const ours = temporaryName()
  const ofDeadProcess = ours.replace(`-${process.pid}-`, `-${await numberOfDeadProcess()}-`)
  const elsewhere = (last: string) => `0123456789ab-1-${last.repeat(16)}`
  await leaveTemporary(ours, 59)
  await leaveTemporary(ofDeadProcess, 0)
  await leaveTemporary(elsewhere('a'), 59)
  await leaveTemporary(elsewhere('b'), 61)
  await leaveTemporary('notes.txt', 10_000)

  await startOnce()

  expect((await filesIn(folder)).sort()).toEqual([`.writing/${elsewhere('a')}`, `.writing/${ours}`, '.writing/notes.txt'].sort())
})

test('a start does not disturb a running writer', async () => {
  const source = new Readable({ read() {} })
  const writing = diskStorage({ folder }).put('a', source)
  source.push('first ')
  await expect.poll(() => filesIn(folder)).toHaveLength(1)
  await startOnce()
  source.push('second')
  source.push(null)
  await writing

  expect(await readFile(join(folder, 'a'), 'utf8')).toBe('first second')
})

test('a reader keeps its opened object during a replacement', async () => {
  const storage = diskStorage({ folder })
  await storage.put('a', Readable.from(['older content']))
  const reading = await storage.open('a')
  await storage.put('a', Readable.from(['newer']))

  expect(await text(reading)).toBe('older content')
})

test('a key that is a folder of other objects, or has another object in its path, is not an object', async () => {
  const storage = diskStorage({ folder })
  await storage.put('a/b', Readable.from(['content']))

  for (const key of ['a', 'a/b/c']) {
    await expect(storage.open(key)).rejects.toBeInstanceOf(ObjectNotFound)
    expect(await storage.size(key)).toBeUndefined()
    await storage.remove(key)
    await expect(storage.put(key, Readable.from(['other']))).rejects.toThrow(/EISDIR|ENOTDIR|EEXIST/)
  }

  expect(await filesIn(folder)).toEqual(['a/b'])
})

test('only the owner can read stored files', async () => {
  const storage = diskStorage({ folder })
  await storage.put('a/b', Readable.from(['content']))

  expect((await stat(join(folder, 'a'))).mode & 0o777).toBe(0o700)
  expect((await stat(join(folder, 'a/b'))).mode & 0o777).toBe(0o600)
})

test('a missing folder is created, however deep', async () => {
  const storage = diskStorage({ folder: join(folder, 'not/yet/there') })
  await storage.check()
  await storage.put('a', Readable.from(['content']))

  expect(await readFile(join(folder, 'not/yet/there/a'), 'utf8')).toBe('content')
})

test('a check of an invalid folder fails with one sentence', async () => {
  const path = join(folder, 'file')
  await writeFile(path, '')
  const storage = diskStorage({ folder: path })

  await expect(storage.check()).rejects.toThrow(`the folder ${path}: objects cannot be written: ENOTDIR`)
  await expect(storage.put('a', Readable.from(['content']))).rejects.toMatchObject({ code: 'ENOTDIR' })
})
