import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { DatabaseStartError } from '../databaseStartError.ts'

/**
 * The password kept in `file`, made when there is none. Throws {@link DatabaseStartError} when it is missing beside a cluster that asks for it.
 */
export async function readOrCreatePassword(file: string, clusterExists: boolean): Promise<string> {
  const kept = await parseText(file)
  if (kept !== undefined && kept !== '') return kept
  if (clusterExists) throw new DatabaseStartError(`the password of the embedded database, ${file}, is missing: bring it back`)
  const password = randomBytes(24).toString('base64url')
  await writeFile(file, `${password}\n`, { mode: 0o600, flush: true })
  return password
}

/** The port kept in `file`, or another that is free; `fixed` is taken or refused with {@link DatabaseStartError}. */
export async function choosePort(file: string, fixed: number | undefined): Promise<number> {
  if (fixed !== undefined) {
    if ((await freePort(fixed)) !== undefined) return fixed
    throw new DatabaseStartError(`port ${fixed} of 127.0.0.1 is taken: the embedded database needs another`)
  }
  const kept = Number(await parseText(file))
  const port = (kept > 0 && kept < 65_536 ? await freePort(kept) : undefined) ?? (await freePort(0))
  if (port === undefined) throw new DatabaseStartError('127.0.0.1 has no free port for the embedded database')
  if (port !== kept) await writeFile(file, `${port}\n`, { mode: 0o600 })
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

/** What a file of the folder holds; `undefined` when it is not there. Anything else that keeps it from being read is an error. */
export async function parseText(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new DatabaseStartError(`${file} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}
