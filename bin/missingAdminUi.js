import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** Whether the tools that build the admin UI are installed; others may have brought Vite itself along. */
export function canBuildAdminUi() {
  return existsSync(here('node_modules/@vitejs/plugin-react')) && existsSync(here('scripts/release/buildAdminUi.ts'))
}

/** Runs the build with the Node at `node`; gives its exit code. What it says goes to standard error. */
export function buildAdminUi(node) {
  const { status } = spawnSync(node, [here('scripts/release/buildAdminUi.ts')], { cwd: here('.'), stdio: ['ignore', 2, 2] })
  return status ?? 1
}

/** Before a start: builds the admin UI where `npm ci` could not, or says in a line what does. The service starts without it as well. */
export function buildMissingAdminUi(node) {
  if (existsSync(here('dist/admin-ui/index.html'))) return
  if (canBuildAdminUi() && buildAdminUi(node) === 0) return
  process.stderr.write('atelier: the admin UI was not built and /integrations is unavailable; npm ci && npm run build makes it\n')
}
