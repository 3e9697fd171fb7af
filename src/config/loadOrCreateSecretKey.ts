import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseSecretKey } from '../secrets/keyRing.ts'
import { ConfigError } from './configError.ts'

/**
 * Reads the keys in `file`. Creates a missing file with one random key, readable only by this user. When several processes create it
 * concurrently, all return the key of the first. Throws {@link ConfigError} when the file is damaged or unreadable or cannot be created:
 * values sealed with the old key could not be opened with a new one.
 * Contract: docs/contract.md#data-and-secrets.
 */
export async function loadOrCreateSecretKey(file: string): Promise<Buffer[]> {
  try {
    const text = (await parseText(file)) ?? (await makeKey(file))
    return parseSecretKey(text.trim())
  } catch (cause) {
    throw new ConfigError(`SECRET_KEY is not set, and the key in ${file} cannot be used: ${(cause as Error).message}`, { cause })
  }
}

async function makeKey(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(8).toString('hex')}`
  try {
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.writeFile(`${randomBytes(32).toString('base64')}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    // Unlike a rename, a link never replaces the file of another process.
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
  return readFile(file, 'utf8')
}

async function parseText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
