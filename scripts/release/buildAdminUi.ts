import { buildAdminUi } from './adminUi.ts'

/** Builds the admin UI into `dist/admin-ui`, unless it is current. */
const milliseconds = await buildAdminUi()
if (milliseconds > 0) process.stdout.write(`admin UI: built in ${(milliseconds / 1000).toFixed(1)} s\n`)
