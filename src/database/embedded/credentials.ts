import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { DatabaseStartError } from '../databaseStartError.ts'

/**
 * Reads the password in `file`, or creates it. Throws {@link DatabaseStartError} if it is missing for an existing cluster.
 */
export async function readOrCreatePassword(file: string, clusterExists: boolean): Promise<string> {
  const stored = await parseText(file)
  if (stored !== undefined && stored !== '') return stored
  if (clusterExists) throw new DatabaseStartError(`the password of the embedded database, ${file}, is missing: restore the file`)
  const password = randomBytes(24).toString('base64url')
  await writeFile(file, `${password}\n`, { mode: 0o600, flush: true })
  return password
}

/** Returns `fixed`, or throws {@link DatabaseStartError} if it is in use. Without it, the port in `file`, or another free one. */
export async function choosePort(file: string, fixed: number | undefined): Promise<number> {
  if (fixed !== undefined) {
    if ((await freePort(fixed)) !== undefined) return fixed
    throw new DatabaseStartError(`port ${fixed} of 127.0.0.1 is in use: choose another for the embedded database`)
  }
  const stored = Number(await parseText(file))
  const port = (stored > 0 && stored < 65_536 ? await freePort(stored) : undefined) ?? (await freePort(0))
  if (port === undefined) throw new DatabaseStartError('127.0.0.1 has no free port for the embedded database')
  if (port !== stored) await writeFile(file, `${port}\n`, { mode: 0o600 })
  return port
}

function freePort(wanted: number): Promise<number | undefined> {
  return new Promise((settle) => {
    const probe = createServer()
    probe.on('error', () => settle(undefined))
    probe.listen({ host: '127.0.0.1', port: wanted, exclusive: true }, () => {
      const address = probe.address()
      probe.close(() => settle(typeof address === 'object' && address !== null ? address.port : undefined))
    })
  })
}

/** Reads a file of the folder; `undefined` if it does not exist. Throws {@link DatabaseStartError} if it cannot be read. */
export async function parseText(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new DatabaseStartError(`${file} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}
