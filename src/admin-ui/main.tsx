import './ui/mantine.css'
import '@mantine/notifications/styles.layer.css'
import '@fontsource-variable/inter/wght.css'
import './ui/fonts/inter-latin.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './ui/global.css'
import { MantineProvider } from '@mantine/core'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { Provider } from 'urql'
import { makeClient } from './api/client.ts'
import { base, paths } from './paths.ts'
import { routes } from './routes.tsx'
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

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={variablesResolver} defaultColorScheme="auto">
      <Provider value={client}>
        <Toasts />
        <RouterProvider router={router} />
      </Provider>
    </MantineProvider>
  </StrictMode>,
)
