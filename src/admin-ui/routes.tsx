import { lazy, Suspense } from 'react'
import type { RouteObject } from 'react-router'
import { HomePage } from './pages/HomePage.tsx'
import { NotFoundPage } from './pages/NotFoundPage.tsx'
import { paths, type TeamScreenId, teamScreens } from './paths.ts'
import { detailScreens, screens } from './screens.ts'
import { ScreenRoute } from './shell/ScreenRoute.tsx'
import { Session } from './shell/Session.tsx'
import { PersonalShell, TeamHome, TeamShell } from './shell/TeamShell.tsx'

const InvitationPage = lazy(async () => ({ default: (await import('./pages/invitation/InvitationPage.tsx')).InvitationPage }))
const SignInPage = lazy(async () => ({ default: (await import('./pages/sign-in/SignInPage.tsx')).SignInPage }))

const screenIds = Object.keys(teamScreens) as TeamScreenId[]

export const routes: RouteObject[] = [
  {
    path: '/sign-in',
    element: (
      <Suspense fallback={null}>
        <SignInPage />
      </Suspense>
    ),
  },
  {
    path: paths.invitation,
    element: (
      <Suspense fallback={null}>
        <InvitationPage />
      </Suspense>
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
          { path: 'agents', element: <ScreenRoute screen={screens.agents.Page} /> },
          { path: 'account', element: <ScreenRoute screen={detailScreens.account.Page} /> },
        ],
      },
      {
        path: ':teamId',
        element: <TeamShell />,
        children: [
          { index: true, element: <TeamHome /> },
          ...screenIds.map((id) => ({ path: id, element: <ScreenRoute id={id} screen={screens[id].Page} /> })),
          { path: 'account', element: <ScreenRoute screen={detailScreens.account.Page} /> },
          { path: 'history/:generationId', element: <ScreenRoute id="history" screen={detailScreens.generation.Page} /> },
          { path: 'keys/:keyId', element: <ScreenRoute id="keys" screen={detailScreens.key.Page} /> },
          { path: 'webhooks/:webhookId', element: <ScreenRoute id="webhooks" screen={detailScreens.webhook.Page} /> },
          { path: 'members/:userId', element: <ScreenRoute id="audit" screen={detailScreens.member.Page} /> },
          { path: 'catalog/:familyId', element: <ScreenRoute id="catalog" screen={detailScreens.family.Page} /> },
          { path: '*', element: <NotFoundPage /> },
        ],
      },
    ],
  },
]
