import { mkdtemp, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { renderFolderPrefix } from './renderFolder.ts'

/**
 * Writes a configuration that knows the bundled fonts and no others, so that text looks the same on every machine (and is no row
 * of boxes on one without fonts). It is read once, while a render process starts, and may be removed after that.
 */
export async function makeFontFolder(parent: string): Promise<{ folder: string; configurationPath: string }> {
  const folder = await mkdtemp(join(parent, renderFolderPrefix))
  const configurationPath = join(folder, 'fonts.conf')
  await writeFile(configurationPath, configuration(fontsPath()))
  return { folder, configurationPath }
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
