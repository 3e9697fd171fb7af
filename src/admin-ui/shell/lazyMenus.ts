import { lazy } from 'react'

// What opens a menu, and the notice that few teams have. They are one file (scripts/release/adminUi.ts).
export const AccountMenu = lazy(async () => ({ default: (await whenIdle(() => import('./AccountMenu.tsx'))).AccountMenu }))
export const ThemeMenu = lazy(async () => ({ default: (await whenIdle(() => import('./ThemeMenu.tsx'))).ThemeMenu }))
export const AlertBell = lazy(async () => ({ default: (await whenIdle(() => import('./bell/AlertBell.tsx'))).AlertBell }))
export const StandingNotice = lazy(async () => ({ default: (await whenIdle(() => import('./StandingNotice.tsx'))).StandingNotice }))

/** Menus come at the latest after this time, also on a page that never rests. */
const patienceMs = 1000

/** Loads when the browser has time, so that the rows of the page come first. Safari has no `requestIdleCallback`. */
async function whenIdle<Module>(load: () => Promise<Module>): Promise<Module> {
  await new Promise<unknown>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: patienceMs })
    else setTimeout(resolve)
  })
  return await load()
}
