import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pinnedNode } from '../bin/pinnedNode.js'

// Ensures that node_modules/.bin, which is first on the PATH of npm scripts, has the pinned Node. npm 11 creates the link; npm 10 (of Node 20
// and 22) removes it again with the packages of other platforms, whose program has the same name.
const node = pinnedNode()
if (node !== undefined) {
  const folder = fileURLToPath(new URL('../node_modules/.bin', import.meta.url))
  mkdirSync(folder, { recursive: true })
  const program = relative(folder, node)
  try {
    if (process.platform === 'win32') writeFileSync(join(folder, 'node.cmd'), `@"%~dp0\\${program}" %*\r\n`, { flag: 'wx' })
    else symlinkSync(program, join(folder, 'node'))
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
}
