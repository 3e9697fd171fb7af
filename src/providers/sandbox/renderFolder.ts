import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

export const renderFolderPrefix = 'atelier-sandbox-'

/** Makes a folder for one render in `parent`. The caller must delete it. */
export function makeRenderFolder(parent: string): Promise<string> {
  return mkdtemp(join(parent, renderFolderPrefix))
}

const abandonedAfterMs = 60 * 60 * 1000

/**
 * Deletes folders that killed processes left in `parent`: those more than an hour older than a folder made now, far beyond the time limit
 * of a render. Ages use file system time. A folder that another process deletes meanwhile is ignored.
 */
export async function sweepRenderFolders(parent: string): Promise<void> {
  const own = await makeRenderFolder(parent)
  try {
    const { mtimeMs: nowMs } = await stat(own)
    const names = (await readdir(parent)).filter((name) => name.startsWith(renderFolderPrefix))
    for (const path of names.map((name) => join(parent, name))) {
      const age = await stat(path).then(
        ({ mtimeMs }) => nowMs - mtimeMs,
        () => 0,
      )
      if (age > abandonedAfterMs) await rm(path, { recursive: true, force: true }).catch(() => {})
    }
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}
