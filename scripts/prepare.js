import { buildAdminUi, canBuildAdminUi } from '../bin/missingAdminUi.js'
import { pinnedNode } from '../bin/pinnedNode.js'

// Runs at the end of `npm ci`, under the Node of npm: builds the admin UI with the Node that was just installed.
await import('./linkNode.js')
if (!canBuildAdminUi()) {
  process.stdout.write('admin UI: not built: the development packages are not installed\n')
} else {
  process.exitCode = buildAdminUi(pinnedNode() ?? process.execPath)
}
