import { lazy } from 'react'

// These parts load after the rows of the page. The build puts them into one file (scripts/release/adminUi.ts).
export const AccountMenu = lazy(async () => ({ default: (await whenIdle(() => import('./AccountMenu.tsx'))).AccountMenu }))
export const ThemeMenu = lazy(async () => ({ default: (await whenIdle(() => import('./ThemeMenu.tsx'))).ThemeMenu }))
export const AlertBell = lazy(async () => ({ default: (await whenIdle(() => import('./bell/AlertBell.tsx'))).AlertBell }))
export const StandingNotice = lazy(async () => ({ default: (await whenIdle(() => import('./StandingNotice.tsx'))).StandingNotice }))

/** Menus load at the latest after this time, also on a page that is never idle. */
const idleTimeoutMs = 1000

/** Loads when the browser has time, so that the rows of the page come first. Safari has no `requestIdleCallback`. */
async function whenIdle<Module>(load: () => Promise<Module>): Promise<Module> {
  await new Promise<unknown>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: idleTimeoutMs })
    else setTimeout(resolve)
  })
  return await load()
}
