import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { memoryFolder } from '../processes/memoryFolder.ts'

export type MediaFolder = { path: string; write(content: Buffer): Promise<string>; remove(): Promise<void> }

/** A folder for the files of one test, with names that do not reveal their content. */
export async function makeMediaFolder(): Promise<MediaFolder> {
  const path = await mkdtemp(join(memoryFolder(), 'media-'))
  let count = 0
  return {
    path,
    async write(content) {
      count += 1
      const file = join(path, `file-${count}`)
      await writeFile(file, content)
      return file
    },
    remove: () => rm(path, { recursive: true, force: true }),
  }
}
