import type { RouteObject } from 'react-router'
import { HomePage } from './pages/HomePage.tsx'
import { NotFoundPage } from './pages/NotFoundPage.tsx'
import { paths, type TeamScreenId, teamScreens } from './paths.ts'
import { detailScreens, publicScreens, screens } from './screens.ts'
import { LoadedScreen, ScreenRoute } from './shell/ScreenRoute.tsx'
import { Session } from './shell/Session.tsx'
import { PersonalShell, TeamHome, TeamShell } from './shell/TeamShell.tsx'
import { LazyPart } from './ui/feedback/LazyPart.tsx'

const screenIds = Object.keys(teamScreens) as TeamScreenId[]

export const routes: RouteObject[] = [
  {
    path: '/sign-in',
    element: (
      <LazyPart>
        {/* Loads the first page while the person types. */}
        <div onInput={screens.overview.preload}>
          <LoadedScreen screen={publicScreens.signIn} fallback={null} />
        </div>
      </LazyPart>
    ),
  },
  {
    path: paths.invitation,
    element: (
      <LazyPart>
        <LoadedScreen screen={publicScreens.invitation} fallback={null} />
      </LazyPart>
    ),
  },
  {
    element: <Session />,
    children: [
      { index: true, element: <HomePage /> },
      {
        path: 'personal',
        element: <PersonalShell />,
        children: [
          { path: 'agents', element: <ScreenRoute screen={screens.agents} /> },
          { path: 'account', element: <ScreenRoute screen={detailScreens.account} /> },
        ],
      },
      {
        path: ':teamId',
        element: <TeamShell />,
        children: [
          { index: true, element: <TeamHome /> },
          ...screenIds.map((id) => ({ path: id, element: <ScreenRoute id={id} screen={screens[id]} /> })),
          { path: 'account', element: <ScreenRoute screen={detailScreens.account} /> },
          { path: 'history/:generationId', element: <ScreenRoute id="history" screen={detailScreens.generation} /> },
          { path: 'keys/:keyId', element: <ScreenRoute id="keys" screen={detailScreens.key} /> },
          { path: 'webhooks/:webhookId', element: <ScreenRoute id="webhooks" screen={detailScreens.webhook} /> },
          { path: 'members/:userId', element: <ScreenRoute id="audit" screen={detailScreens.member} /> },
          { path: 'catalog/:familyId', element: <ScreenRoute id="catalog" screen={detailScreens.family} /> },
          { path: '*', element: <NotFoundPage /> },
        ],
      },
    ],
  },
]
