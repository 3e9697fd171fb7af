import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

export const renderFolderPrefix = 'atelier-sandbox-'

/** Makes a folder of its own for one render under `parent`. The caller removes it in every case. */
export function makeRenderFolder(parent: string): Promise<string> {
  return mkdtemp(join(parent, renderFolderPrefix))
}

const abandonedAfterMs = 60 * 60 * 1000

/**
 * Removes what killed processes left under `parent`: folders an hour older than one made now, far beyond the limit of any render.
 * Ages are compared by the file system's own time. A folder that another process removes meanwhile is no error.
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
