import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { preservedPrefix } from '../../media/workers/scratchFolder.ts'

/**
 * Writes a font configuration with only the bundled fonts, so that text looks the same on every machine.
 * Returns the environment variables for the worker.
 */
export async function writeFontConfig(folder: string): Promise<Record<string, string>> {
  const path = join(folder, `${preservedPrefix}fonts.conf`)
  await writeFile(path, configuration(fontsPath()))
  return { FONTCONFIG_FILE: path }
}

function fontsPath(): string {
  return join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf')
}

function configuration(path: string): string {
  const escaped = path.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${escaped}</dir><config><rescan><int>0</int></rescan></config></fontconfig>
`
}
