import { randomBytes } from 'node:crypto'
import { link, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Atelier } from '../atelier.ts'
import type { ReadyGeneration } from '../expectReady.ts'
import { requireFree, type SaveTarget } from './saveTarget.ts'
import { UsageError } from './usageError.ts'
import type { World } from './world.ts'

/** What was asked for is there, and cannot be put where it was wanted. */
export class NotSaved extends Error {
  override readonly name = 'NotSaved'
}

/**
 * Writes the file of a generation where it is wanted, whole or not at all, and returns its path, if it has one. Throws NotSaved, with
 * what to do: the result is paid for and can be had again.
 */
export async function saveResult(
  client: Atelier,
  generation: ReadyGeneration,
  target: SaveTarget,
  world: World,
): Promise<string | undefined> {
  const response = await client.download(generation, { signal: world.interrupted })
  const body = chunksOf(response)
  try {
    if (target.kind === 'output') {
      await pipeline(body, world.stdout, { end: false, signal: world.interrupted })
      return undefined
    }
    const name = target.kind === 'file' ? target.name : fileNameOf(response, generation.generationId)
    return await writeWhole(body, { ...target, name, sizeBytes: generation.result.sizeBytes }, world.interrupted)
  } catch (cause) {
    world.interrupted.throwIfAborted()
    throw new NotSaved(`${wordsOf(cause)} The result is kept: atelier-client get ${generation.generationId} -o <path>`, { cause })
  } finally {
    // Where nothing was read of it; what was read is over by now.
    response.body?.cancel().catch(() => undefined)
  }
}

type Whole = { folder: string; name: string; mayReplace: boolean; sizeBytes: number | null | undefined }

async function writeWhole(body: AsyncIterable<Uint8Array>, whole: Whole, signal: AbortSignal): Promise<string> {
  const { folder, name, mayReplace, sizeBytes } = whole
  const path = join(folder, name)
  const part = join(folder, `.${name.slice(0, 100)}.${randomBytes(6).toString('hex')}.part`)
  try {
    const file = await open(part, 'wx')
    await pipeline(body, file.createWriteStream({ flush: true }), { signal })
    const { size } = await stat(part)
    if (typeof sizeBytes === 'number' && size !== sizeBytes) throw new Error(`${size} of ${sizeBytes} bytes came.`)
    if (mayReplace) {
      await requireFree(whole)
      await rename(part, path)
    } else await linkWithoutReplacing(part, path, whole)
    return path
  } finally {
    await rm(part, { force: true })
  }
}

/** A link, other than a rename, never replaces what somebody has put there meanwhile; some file systems have none. */
async function linkWithoutReplacing(part: string, path: string, whole: Whole): Promise<void> {
  try {
    await link(part, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new UsageError(`${path} is there already; --force writes over it.`, { cause: error })
    await requireFree(whole)
    await rename(part, path)
  }
}

/** The name that the service gives the file, where it is a plain one, so that it leads nowhere else. */
function fileNameOf(response: Response, generationId: string): string {
  const [, name = ''] = /filename="?([^";]+)"?/i.exec(response.headers.get('content-disposition') ?? '') ?? []
  return /^[0-9A-Za-z_][0-9A-Za-z._-]{0,127}$/.test(name) ? name : generationId.replaceAll(/[^0-9A-Za-z_]/g, '')
}

/** The bytes as they are asked for: nothing is read, and nothing can fail, before somebody is there to hear of it. */
async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array, void, undefined> {
  if (!body) return
  const reader = body.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

function wordsOf(cause: unknown): string {
  if (cause instanceof UsageError) return cause.message
  return `The result could not be written: ${(cause as Error).message}.`.replace(/\.\.$/, '.')
}
