import { buildAdminUi, canBuildAdminUi } from '../bin/missingAdminUi.js'
import { pinnedNode } from '../bin/pinnedNode.js'

// What `npm ci` does at its end, under whichever Node npm runs on: builds the admin UI with the Node that was just installed.
await import('./linkNode.js')
if (!canBuildAdminUi()) {
  process.stdout.write('admin UI: not built, since the tools of development are not installed\n')
} else {
  process.exitCode = buildAdminUi(pinnedNode() ?? process.execPath)
}
