import { readFile } from 'node:fs/promises'

type Manifest = { name: string; version: string }

/** The manifest of this package. It is two folders up in the sources, and three in the package. */
export async function packageManifest(): Promise<Manifest> {
  const read = async (path: string) => JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8')) as Manifest
  return await read('../../package.json').catch(() => read('../../../package.json'))
}
