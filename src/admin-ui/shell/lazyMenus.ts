import { lazy } from 'react'
import { whenIdle } from '../ui/whenIdle.ts'

// These parts load after the rows of the page. The build puts them into one file (scripts/release/adminUi.ts).
export const AccountMenu = lazy(async () => ({ default: (await whenIdle(() => import('./AccountMenu.tsx'))).AccountMenu }))
export const ThemeMenu = lazy(async () => ({ default: (await whenIdle(() => import('./ThemeMenu.tsx'))).ThemeMenu }))
export const AlertBell = lazy(async () => ({ default: (await whenIdle(() => import('./bell/AlertBell.tsx'))).AlertBell }))
export const StandingNotice = lazy(async () => ({ default: (await whenIdle(() => import('./StandingNotice.tsx'))).StandingNotice }))
