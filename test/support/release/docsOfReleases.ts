import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { packFolder } from '../../../scripts/release/artefacts/packFolder.ts'
import { writeDocsSite } from '../../../scripts/release/artefacts/writeDocsSite.ts'
import { memoryFolder } from '../processes/memoryFolder.ts'

/** A folder that is removed after the tests of the file. */
export async function memoryFolderOfTest(): Promise<string> {
  const folder = await mkdtemp(join(memoryFolder(), 'atelier-docs-'))
  folders.push(folder)
  return folder
}

const folders: string[] = []
afterAll(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })))
})

/** The sources of a release with only these guides: `Page <name>`, with a word that only the sources of this folder have, and a picture. */
export async function aDocsRoot(folder: string, pages: readonly string[], word = 'ours'): Promise<string> {
  const root = join(folder, `sources-${word}`)
  await mkdir(join(root, 'docs/pictures'), { recursive: true })
  for (const name of ['keys', 'keys-dark']) await writeFile(join(root, `docs/pictures/${name}.webp`), 'RIFF')
  for (const page of pages)
    await writeFile(join(root, `docs/${page}.md`), `# Page ${page}\n\nAbout ${page}, ${word}.\n\n![Keys](pictures/keys.webp)\n`)
  return root
}

/** Writes the docs archive of a release into the folder `to`, as `npm run release -- --all` does. */
export async function aKeptDocsArchive(to: string, { version, pages }: { version: string; pages: readonly string[] }): Promise<void> {
  const folder = await memoryFolderOfTest()
  const root = await aDocsRoot(folder, pages, 'formerly')
  const site = join(folder, `atelier-docs-${version}`)
  await writeDocsSite(site, { root, version, origin: 'https://atelier.example.com' })
  await mkdir(to, { recursive: true })
  packFolder(site, join(to, `atelier-docs-${version}.tar.gz`), 1_700_000_000)
}
