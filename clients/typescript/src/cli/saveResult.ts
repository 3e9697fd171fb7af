import { link, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Atelier } from '../atelier.ts'
import type { ReadyGeneration } from '../generations/expectReady.ts'
import { writeWholeFile } from '../generations/writeWholeFile.ts'
import type { CommandContext } from './commandContext.ts'
import { requireFree, type SaveTarget } from './saveTarget.ts'
import { UsageError } from './usageError.ts'

/** The result exists, but could not be saved. */
export class NotSaved extends Error {
  override readonly name = 'NotSaved'
}

/**
 * Saves the file of a generation completely or not at all. Returns its path, if it has one. Throws NotSaved with what to do: the result
 * is paid and can be downloaded again.
 */
export async function saveResult(
  client: Atelier,
  generation: ReadyGeneration,
  target: SaveTarget,
  context: CommandContext,
): Promise<string | undefined> {
  const response = await client.download(generation, { signal: context.interrupted })
  const body = chunksOf(response)
  try {
    if (target.kind === 'output') {
      await pipeline(body, context.stdout, { end: false, signal: context.interrupted })
      return undefined
    }
    const name = target.kind === 'file' ? target.name : fileNameOf(response, generation.generationId)
    return await writeWhole(body, { ...target, name, sizeBytes: generation.result.sizeBytes }, context.interrupted)
  } catch (cause) {
    context.interrupted.throwIfAborted()
    throw new NotSaved(`${messageOf(cause)} The result is kept: atelier-client get ${generation.generationId} -o <path>`, { cause })
  } finally {
    // Releases an unread body. A read one has already ended.
    response.body?.cancel().catch(() => undefined)
  }
}

type Whole = { folder: string; name: string; mayReplace: boolean; sizeBytes: number | null | undefined }

async function writeWhole(body: AsyncIterable<Uint8Array>, whole: Whole, signal: AbortSignal): Promise<string> {
  const path = join(whole.folder, whole.name)
  const place = async (part: string) => {
    const { size } = await stat(part)
    const { sizeBytes, mayReplace } = whole
    if (typeof sizeBytes === 'number' && size !== sizeBytes) throw new Error(`Only ${size} of ${sizeBytes} bytes arrived.`)
    if (!mayReplace) return await linkWithoutReplacing(part, path, whole)
    await requireFree(whole)
    await rename(part, path)
  }
  await writeWholeFile(path, body, { signal, place })
  return path
}

/** Unlike a rename, a link never replaces a file that was created meanwhile. Some file systems have no links. */
async function linkWithoutReplacing(part: string, path: string, whole: Whole): Promise<void> {
  try {
    await link(part, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new UsageError(`${path} already exists; use --force to overwrite it.`, { cause: error })
    await requireFree(whole)
    await rename(part, path)
  }
}

/** The file name from the service, only if it is plain, so that it cannot point to another folder. */
function fileNameOf(response: Response, generationId: string): string {
  const [, name = ''] = /filename="?([^";]+)"?/i.exec(response.headers.get('content-disposition') ?? '') ?? []
  return /^[0-9A-Za-z_][0-9A-Za-z._-]{0,127}$/.test(name) ? name : generationId.replaceAll(/[^0-9A-Za-z_]/g, '')
}

/** Reads the body on demand, so that it cannot fail before it has a reader. */
async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array, void, undefined> {
  if (!body) return
  const reader = body.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

function messageOf(cause: unknown): string {
  if (cause instanceof UsageError) return cause.message
  return `The result could not be written: ${(cause as Error).message}.`.replace(/\.\.$/, '.')
}
