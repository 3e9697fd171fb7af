import { createHash, randomBytes } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ObjectNotFound, type Storage } from '../../src/storage/storage.ts'
import { storageKinds, type TestStorage } from './storages.ts'

const MiB = 1024 * 1024

describe.each(storageKinds())('%s', (_name, open) => {
  let opened: TestStorage
  let storage: Storage

  beforeEach(async () => {
    opened = await open()
    storage = opened.storage
  })
  afterEach(() => opened.dispose())

  test.each([0, 1, 5 * MiB, 5 * MiB + 1])('%i bytes are stored unchanged, with their size and hash', async (sizeBytes) => {
    const content = randomBytes(sizeBytes)

    const stored = await storage.put('files/a', Readable.from(content.length > 0 ? [content] : []), { contentType: 'image/png' })

    expect(stored).toEqual({ key: 'files/a', sizeBytes, sha256: createHash('sha256').update(content).digest('hex') })
    expect(await storage.size('files/a')).toBe(sizeBytes)
    expect((await buffer(await storage.open('files/a'))).equals(content)).toBe(true)
    expect((await storage.read('files/a')).equals(content)).toBe(true)
    expect(await opened.contents()).toEqual(['files/a'])
  })

  test('text from a source is measured in bytes', async () => {
    const stored = await storage.put('notes/a.txt', Readable.from(['grün', ' ', '€']))

    expect(stored.sizeBytes).toBe(9)
    expect(await text(await storage.open('notes/a.txt'))).toBe('grün €')
  })

  test('a second object under a key replaces the first as a whole', async () => {
    await storage.put('a', Readable.from(['the first and longer one']))
    await storage.put('a', Readable.from(['second']))

    expect(await text(await storage.open('a'))).toBe('second')
    expect(await opened.contents()).toEqual(['a'])
  })

  test('of concurrent writers of one key, one wins completely', async () => {
    const letters = ['a', 'b', 'c', 'd']

    await Promise.all(letters.map((letter) => storage.put('a', Readable.from([letter.repeat(100_000)]))))

    expect(letters.map((letter) => letter.repeat(100_000))).toContain(await text(await storage.open('a')))
    expect(await opened.contents()).toEqual(['a'])
  })

  test.each([
    ['before its first byte', 0],
    ['after some bytes', 1000],
    ['after more than one part of an upload', 12 * MiB],
  ])('a source that fails %s keeps the older object and leaves nothing else', async (_when, sizeBytes) => {
    await storage.put('a', Readable.from(['older']))
    const failure = new Error('the sender hung up')
    const source = Readable.from(
      (function* () {
        for (let sent = 0; sent < sizeBytes; sent += 64 * 1024) yield Buffer.alloc(64 * 1024)
        throw failure
      })(),
    )

    await expect(storage.put('a', source)).rejects.toBe(failure)

    expect(await text(await storage.open('a'))).toBe('older')
    expect(await opened.contents()).toEqual(['a'])
  })

  test.each([100, 7 * MiB])(
    'an abort after %i bytes of a stalled source ends the write with its reason and leaves nothing',
    async (sizeBytes) => {
      const stop = new AbortController()
      const reason = new Error('cancelled')
      const source = new PassThrough({ highWaterMark: 16 * MiB })
      const writing = storage.put('a', source, { signal: stop.signal })
      source.write(Buffer.alloc(sizeBytes), () => stop.abort(reason))

      await expect(writing).rejects.toBe(reason)

      expect(source.destroyed).toBe(true)
      expect(await opened.contents()).toEqual([])
    },
  )

  test('nothing is written when the signal was aborted before', async () => {
    const source = Readable.from(['content'])
    const reason = new Error('too late')

    await expect(storage.put('a', source, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)

    expect(source.destroyed).toBe(true)
    expect(await opened.contents()).toEqual([])
  })

  test('a source that failed before the call rejects with its error', async () => {
    const failure = new Error('failed early')
    const source = new PassThrough().on('error', () => {})
    source.destroy(failure)
    await new Promise((resolve) => source.once('close', resolve))

    await expect(storage.put('a', source)).rejects.toBe(failure)
    expect(await opened.contents()).toEqual([])
  })

  test('a source that closes without an end fails', async () => {
    const source = new PassThrough()
    const writing = storage.put('a', source)
    source.write('half', () => source.destroy())

    await expect(writing).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' })
    expect(await opened.contents()).toEqual([])
  })

  test.each([
    [{ start: 0, end: 0 }, '0'],
    [{ start: 3, end: 5 }, '345'],
    [{ start: 9, end: 9 }, '9'],
    [{ start: 8, end: 1_000_000 }, '89'],
  ])('the range %o of ten digits is %j', async (range, expected) => {
    await storage.put('a', Readable.from(['0123456789']))

    expect(await text(await storage.open('a', range))).toBe(expected)
    expect(String(await storage.read('a', range))).toBe(expected)
  })

  test.each([
    { start: 10, end: 12 },
    { start: 5, end: 4 },
    { start: -1, end: 4 },
    { start: 0.5, end: 4 },
    { start: 0, end: Number.NaN },
    { start: 0, end: Number.POSITIVE_INFINITY },
  ])('the range %o of ten digits is refused', async (range) => {
    await storage.put('a', Readable.from(['0123456789']))

    await expect(storage.open('a', range)).rejects.toBeInstanceOf(RangeError)
    await expect(storage.read('a', range)).rejects.toBeInstanceOf(RangeError)
  })

  test('a missing object is not found, has no size, and can be removed', async () => {
    await expect(storage.open('absent')).rejects.toBeInstanceOf(ObjectNotFound)
    await expect(storage.open('absent', { start: 0, end: 1 })).rejects.toBeInstanceOf(ObjectNotFound)
    expect(await storage.size('absent')).toBeUndefined()
    await storage.remove('absent')
  })

  test('an opened object that fails without a listener does not crash the process', async () => {
    await storage.put('a', Readable.from(['content']))
    const stream = await storage.open('a')

    stream.destroy(new Error('failed'))

    await new Promise((resolve) => stream.once('close', resolve))
  })

  test('removing an object keeps its neighbours', async () => {
    await storage.put('files/a', Readable.from(['a']))
    await storage.put('files/ab', Readable.from(['ab']))

    await storage.remove('files/a')

    expect(await storage.size('files/a')).toBeUndefined()
    expect(await opened.contents()).toEqual(['files/ab'])
  })

  test.each([
    '',
    '.',
    '..',
    '../a',
    'a/../b',
    'a/..',
    '/etc/passwd',
    'a//b',
    'a/',
    '.writing/a',
    'a/.hidden',
    'A',
    'a b',
    'a\\b',
    'a\0b',
    'a\n',
    '%2e%2e/a',
    'ä',
    'c:a',
    'a'.repeat(129),
    'a/'.repeat(8) + 'a',
  ])('the key %j is refused by every operation', async (key) => {
    const source = Readable.from(['content'])

    await expect(storage.put(key, source)).rejects.toBeInstanceOf(RangeError)
    await expect(storage.open(key)).rejects.toBeInstanceOf(RangeError)
    await expect(storage.size(key)).rejects.toBeInstanceOf(RangeError)
    await expect(storage.remove(key)).rejects.toBeInstanceOf(RangeError)

    expect(source.destroyed).toBe(true)
    expect(await opened.contents()).toEqual([])
  })

  test('the longest key of eight segments is accepted', async () => {
    const key = Array.from({ length: 8 }, (_, index) => `${index}_.-${'a'.repeat(100)}`).join('/')

    await storage.put(key, Readable.from(['deep']))

    expect(await text(await storage.open(key))).toBe('deep')
  })

  test('a check passes and leaves no object', async () => {
    await storage.check()

    expect(await opened.contents()).toEqual([])
  })
})
