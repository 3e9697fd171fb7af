import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ConfigError } from '../../src/config/configError.ts'
import { loadOrCreateSecretKey } from '../../src/config/loadOrCreateSecretKey.ts'

async function freshFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-secret-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return join(folder, 'data', 'secret')
}

test('the key is created once, readable only by its owner, and every start reads the same key', async () => {
  const file = await freshFile()
  const [first] = await loadOrCreateSecretKey(file)
  expect(first).toHaveLength(32)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await loadOrCreateSecretKey(file)).toEqual([first])
})

test('processes that start concurrently use one key, and no draft file stays', async () => {
  const file = await freshFile()
  const keys = await Promise.all(Array.from({ length: 20 }, () => loadOrCreateSecretKey(file)))
  expect(new Set(keys.map(([bytes]) => bytes?.toString('hex'))).size).toBe(1)
  expect(await readdir(dirname(file))).toEqual(['secret'])
})

test('a damaged file stops the start, stays unchanged and is not quoted', async () => {
  const file = await freshFile()
  await loadOrCreateSecretKey(file)
  await writeFile(file, 'half-a-key')
  const error = await loadOrCreateSecretKey(file).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConfigError)
  expect((error as Error).message).toMatch(/^SECRET_KEY is not set, and the key in \S+ cannot be used: [^\n]+$/)
  expect((error as Error).message).not.toContain('half-a-key')
  expect(await readFile(file, 'utf8')).toBe('half-a-key')
})
