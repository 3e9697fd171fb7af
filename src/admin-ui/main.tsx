import './ui/mantine.css'
import '@mantine/notifications/styles.layer.css'
import '@fontsource-variable/inter/wght.css'
import './ui/fonts/inter-latin.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './ui/global.css'
import './ui/firstFrame.css'
import './ui/touch.css'
import { MantineProvider } from '@mantine/core'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { Provider } from 'urql'
import { makeClient } from './api/client.ts'
import { ViewerQuery } from './api/viewer.ts'
import { base, paths } from './paths.ts'
import { routes } from './routes.tsx'
import { firstScreen, publicScreens } from './screens.ts'
import { Toasts } from './ui/feedback/Toasts.tsx'
import { theme, variablesResolver } from './ui/theme.ts'

const router = createBrowserRouter(routes, { basename: base })
const client = makeClient({ onSignedOut: askToSignIn })

/** Opens the sign-in page, which returns to the current page afterwards. */
function askToSignIn(): void {
  const { pathname, search } = location
  if (pathname === `${base}${paths.signIn()}`) return
  const returnTo = pathname === base ? undefined : `${pathname}${search}`
  void router.navigate(paths.signIn(returnTo), { replace: true })
}

/** The page can mostly be drawn before this time. Otherwise React shows that it loads, or why it does not. */
const frameMs = 1000

/** Waits for what the first page needs, because React takes its place from the first frame at once. */
async function firstPageLoaded(): Promise<void> {
  if (!firstScreen) return
  const isPublic = Object.values(publicScreens).includes(firstScreen)
  const needed = [firstScreen.load().catch(() => undefined), ...(isPublic ? [] : [client.query(ViewerQuery, {}).toPromise()])]
  await Promise.race([Promise.all(needed), new Promise((resolve) => setTimeout(resolve, frameMs))])
}

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
const page = (
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={variablesResolver} defaultColorScheme="auto">
      <Provider value={client}>
        <Toasts />
        <RouterProvider router={router} />
      </Provider>
    </MantineProvider>
  </StrictMode>
)
// As a transition, rendering is cut into short tasks, between which a phone handles touches.
void firstPageLoaded().then(() => startTransition(() => createRoot(root).render(page)))
