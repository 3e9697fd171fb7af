import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { ParsedArguments } from './parsedArguments.ts'
import { UsageError } from './usageError.ts'

/** Where a result is saved. */
export type SaveTarget =
  | { kind: 'output' }
  | { kind: 'file'; folder: string; name: string; mayReplace: boolean }
  | { kind: 'folder'; folder: string; mayReplace: boolean }

/** Checks `-o` and `--force` before anything is paid. Throws UsageError for a path that cannot be written. */
export async function saveTargetOf(given: ParsedArguments): Promise<SaveTarget | undefined> {
  const path = given.text('output')
  const mayReplace = given.flag('force')
  if (path === undefined) return undefined
  if (path === '-') {
    if (given.flag('json')) throw new UsageError('-o - and --json both use standard output. Use one of them.')
    return { kind: 'output' }
  }
  if ((await kindAt(path)) === 'folder') return { kind: 'folder', folder: path, mayReplace }
  const target = { kind: 'file', folder: dirname(path), name: basename(path), mayReplace } as const
  if (path.endsWith('/') || (await kindAt(target.folder)) !== 'folder')
    throw new UsageError(`-o: this folder does not exist: ${path.endsWith('/') ? path : target.folder}`)
  await requireFree(target)
  return target
}

/** Throws UsageError for an existing file without --force, and for anything that is not a file. */
export async function requireFree({ folder, name, mayReplace }: { folder: string; name: string; mayReplace: boolean }): Promise<void> {
  const path = join(folder, name)
  const kind = await kindAt(path)
  if (kind === 'file' && !mayReplace) throw new UsageError(`${path} already exists; use --force to overwrite it.`)
  if (kind === 'folder' || kind === 'other') throw new UsageError(`${path} is not a file that can be overwritten.`)
}

async function kindAt(path: string): Promise<'nothing' | 'file' | 'folder' | 'other'> {
  try {
    const found = await stat(path)
    return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other'
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return 'nothing'
    throw new UsageError(`${path} cannot be written to (${(cause as NodeJS.ErrnoException).code}).`, { cause })
  }
}
