import { type ComponentType, lazy, Suspense } from 'react'
import type { RouteObject } from 'react-router'
import { HomePage } from './pages/HomePage.tsx'
import { NotFoundPage } from './pages/NotFoundPage.tsx'
import { SignInPage } from './pages/sign-in/SignInPage.tsx'
import { paths, type TeamScreenId, teamScreens } from './paths.ts'
import { ScreenRoute } from './shell/ScreenRoute.tsx'
import { Session } from './shell/Session.tsx'
import { PersonalShell, TeamHome, TeamShell } from './shell/TeamShell.tsx'

/** Each screen is its own chunk, so that pages load only what they use. */
const screens: Record<TeamScreenId, ComponentType> = {
  overview: lazy(async () => ({ default: (await import('./pages/overview/OverviewPage.tsx')).OverviewPage })),
  keys: lazy(async () => ({ default: (await import('./pages/keys/KeysPage.tsx')).KeysPage })),
  webhooks: lazy(async () => ({ default: (await import('./pages/webhooks/WebhooksPage.tsx')).WebhooksPage })),
  deliveries: lazy(async () => ({ default: (await import('./pages/deliveries/DeliveriesPage.tsx')).DeliveriesPage })),
  history: lazy(async () => ({ default: (await import('./pages/history/HistoryPage.tsx')).HistoryPage })),
  usage: lazy(async () => ({ default: (await import('./pages/usage/UsagePage.tsx')).UsagePage })),
  playground: lazy(async () => ({ default: (await import('./pages/playground/PlaygroundPage.tsx')).PlaygroundPage })),
  catalog: lazy(async () => ({ default: (await import('./pages/catalog/CatalogPage.tsx')).CatalogPage })),
  team: lazy(async () => ({ default: (await import('./pages/team/TeamPage.tsx')).TeamPage })),
  audit: lazy(async () => ({ default: (await import('./pages/audit/AuditPage.tsx')).AuditPage })),
  settings: lazy(async () => ({ default: (await import('./pages/settings/SettingsPage.tsx')).SettingsPage })),
  agents: lazy(async () => ({ default: (await import('./pages/agents/AgentsPage.tsx')).AgentsPage })),
}

const InvitationPage = lazy(async () => ({ default: (await import('./pages/invitation/InvitationPage.tsx')).InvitationPage }))
const AccountPage = lazy(async () => ({ default: (await import('./pages/account/AccountPage.tsx')).AccountPage }))
const KeyPage = lazy(async () => ({ default: (await import('./pages/keys/KeyPage.tsx')).KeyPage }))
const WebhookPage = lazy(async () => ({ default: (await import('./pages/webhooks/WebhookPage.tsx')).WebhookPage }))
const MemberPage = lazy(async () => ({ default: (await import('./pages/members/MemberPage.tsx')).MemberPage }))
const FamilyPage = lazy(async () => ({ default: (await import('./pages/catalog/FamilyPage.tsx')).FamilyPage }))

const GenerationPage = lazy(async () => ({ default: (await import('./pages/history/GenerationPage.tsx')).GenerationPage }))

const screenIds = Object.keys(teamScreens) as TeamScreenId[]

export const routes: RouteObject[] = [
  { path: '/sign-in', element: <SignInPage /> },
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
          { path: 'agents', element: <ScreenRoute screen={screens.agents} /> },
          { path: 'account', element: <ScreenRoute screen={AccountPage} /> },
        ],
      },
      {
        path: ':teamId',
        element: <TeamShell />,
        children: [
          { index: true, element: <TeamHome /> },
          ...screenIds.map((id) => ({ path: id, element: <ScreenRoute id={id} screen={screens[id]} /> })),
          { path: 'account', element: <ScreenRoute screen={AccountPage} /> },
          { path: 'history/:generationId', element: <ScreenRoute id="history" screen={GenerationPage} /> },
          { path: 'keys/:keyId', element: <ScreenRoute id="keys" screen={KeyPage} /> },
          { path: 'webhooks/:webhookId', element: <ScreenRoute id="webhooks" screen={WebhookPage} /> },
          { path: 'members/:userId', element: <ScreenRoute id="audit" screen={MemberPage} /> },
          { path: 'catalog/:familyId', element: <ScreenRoute id="catalog" screen={FamilyPage} /> },
          { path: '*', element: <NotFoundPage /> },
        ],
      },
    ],
  },
]
