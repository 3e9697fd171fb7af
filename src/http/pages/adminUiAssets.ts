import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { serveFile } from './serveFile.ts'

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

const headers = { 'Cache-Control': 'public, max-age=31536000, immutable', 'Cross-Origin-Resource-Policy': 'same-origin' }

/** File names of the build. */
const assetForm = /^[\w-][\w.-]{0,199}$/

/**
 * Loads the assets of the admin UI and their compressed forms into memory. Requests share these bytes, so that many requests open no
 * files and use no memory. Empty without a build.
 */
export async function loadAssets(folder: string): Promise<Map<string, ReturnType<typeof serveFile>>> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => assetForm.test(name))
  const contents = new Map(
    await Promise.all(names.map(async (name): Promise<[string, Buffer]> => [name, await readFile(join(folder, name))])),
  )
  const assets = [...contents].filter(([name]) => !isCompressed(name, contents))
  return new Map(
    assets.map(([name, content]) => {
      const [br, gzip] = [contents.get(`${name}.br`), contents.get(`${name}.gz`)]
      const type = types[extname(name)] ?? 'application/octet-stream'
      return [name, serveFile({ type, headers, read: async () => content, compressed: { ...(br && { br }), ...(gzip && { gzip }) } })]
    }),
  )
}

function isCompressed(name: string, contents: ReadonlyMap<string, Buffer>): boolean {
  return /\.(?:br|gz)$/.test(name) && contents.has(name.slice(0, -3))
}
