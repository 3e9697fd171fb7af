import { readFile } from 'node:fs/promises'

/** The version of this package. Its manifest is two folders up, in the package and in the sources. */
export async function packageVersion(): Promise<string> {
  const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
  return manifest.version
}
