import { buildAdminUi } from '../../../scripts/release/adminUi.ts'
import { unpackBrowser } from '../browser/browserProgram.ts'

/** Builds the admin UI and unpacks Chromium, unless an earlier run did. */
export async function setup(): Promise<void> {
  await Promise.all([buildAdminUi(), unpackBrowser()])
}
