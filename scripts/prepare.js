import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pinnedNode } from '../bin/pinnedNode.js'

// What `npm ci` does at its end, under whichever Node npm runs on: builds the admin UI with the Node that was just installed.
const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

if (!existsSync(here('node_modules/vite'))) {
  process.stdout.write('admin UI: not built, since the tools of development are not installed\n')
} else {
  await import('./linkNode.js')
  const { status, error } = spawnSync(pinnedNode() ?? process.execPath, [here('scripts/buildAdminUi.ts')], {
    cwd: here('.'),
    stdio: 'inherit',
  })
  if (error) process.stdout.write(`admin UI: not built (${error.message}); npm run build does it\n`)
  else process.exitCode = status ?? 1
}
