import { createHash } from 'node:crypto'
import { chmod, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** A file of an export, as listed in its manifest. `sha256` is lowercase hexadecimal. */
export type WrittenFile = { name: string; lines: number; sizeBytes: number; sha256: string }

const marker = 'export.json'
const markerOf = (teamId: string) => `${JSON.stringify({ format: 'atelier-export', teamId })}\n`

/**
 * Prepares the folder, for the account of this process only: a new or empty one, or that of an earlier export of the same team, whose
 * manifest is removed until this export is complete. Throws a RangeError for any other folder, without changes.
 */
export async function openExportFolder(folder: string, teamId: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = (await readdir(folder)).filter((name) => name !== `${marker}.part`)
  const found = names.length === 0 ? undefined : await readFile(join(folder, marker), 'utf8').catch(() => '')
  if (found !== undefined && found !== markerOf(teamId))
    throw new RangeError(`${folder} contains something other than an export of ${teamId}: choose another folder`)
  await chmod(folder, 0o700)
  if (found === undefined) await writeWhole(folder, marker, markerOf(teamId))
  await rm(join(folder, 'manifest.json'), { force: true })
  await mkdir(join(folder, 'media'), { recursive: true, mode: 0o700 })
}

/** Writes a text file atomically. */
export async function writeWhole(folder: string, name: string, text: string): Promise<void> {
  const part = join(folder, `${name}.part`)
  const file = await open(part, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(part, join(folder, name))
}

/** Writes pages of lines as JSON Lines, page by page; the file appears when it is complete. */
export async function writeLines(folder: string, name: string, pages: AsyncIterable<readonly object[]>): Promise<WrittenFile> {
  const part = join(folder, `${name}.part`)
  const hash = createHash('sha256')
  let lines = 0
  let sizeBytes = 0
  const file = await open(part, 'w', 0o600)
  try {
    for await (const page of pages) {
      const bytes = Buffer.from(page.map((line) => `${JSON.stringify(line)}\n`).join(''))
      await file.writeFile(bytes)
      hash.update(bytes)
      lines += page.length
      sizeBytes += bytes.length
    }
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(part, join(folder, name))
  return { name, lines, sizeBytes, sha256: hash.digest('hex') }
}
