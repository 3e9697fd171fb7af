import type { ComponentType } from 'react'
import { type PrefetchQuery, prefetchQueries } from './api/prefetchQueries.ts'
import { viewerDocument } from './api/viewerDocument.ts'
import { historyDocument, historyPageRows } from './pages/history/historyDocument.ts'
import { base, paths, type TeamScreenId } from './paths.ts'
import { drawFirstFrame } from './shell/firstFrame.ts'

/** A page in its own chunk. `Page` is undefined until it is loaded; `preload` loads it before it is rendered. */
export type Screen = { readonly Page: ComponentType | undefined; load(): Promise<ComponentType>; preload(): void }

function screen(request: () => Promise<ComponentType>): Screen {
  let Page: ComponentType | undefined
  let loading: Promise<ComponentType> | undefined
  const requestAgain = async () => {
    try {
      return (Page = await request())
    } catch (error) {
      // The next attempt loads again.
      loading = undefined
      throw error
    }
  }
  const load = () => (loading ??= requestAgain())
  return {
    get Page() {
      return Page
    },
    load,
    // A failure is shown when the page is rendered.
    preload: () => void load().catch(() => undefined),
  }
}

export const screens: Record<TeamScreenId, Screen> = {
  overview: screen(async () => (await import('./pages/overview/OverviewPage.tsx')).OverviewPage),
  keys: screen(async () => (await import('./pages/keys/KeysPage.tsx')).KeysPage),
  webhooks: screen(async () => (await import('./pages/webhooks/WebhooksPage.tsx')).WebhooksPage),
  deliveries: screen(async () => (await import('./pages/deliveries/DeliveriesPage.tsx')).DeliveriesPage),
  history: screen(async () => (await import('./pages/history/HistoryPage.tsx')).HistoryPage),
  usage: screen(async () => (await import('./pages/usage/UsagePage.tsx')).UsagePage),
  playground: screen(async () => (await import('./pages/playground/PlaygroundPage.tsx')).PlaygroundPage),
  catalog: screen(async () => (await import('./pages/catalog/CatalogPage.tsx')).CatalogPage),
  team: screen(async () => (await import('./pages/team/TeamPage.tsx')).TeamPage),
  audit: screen(async () => (await import('./pages/audit/AuditPage.tsx')).AuditPage),
  settings: screen(async () => (await import('./pages/settings/SettingsPage.tsx')).SettingsPage),
  agents: screen(async () => (await import('./pages/agents/AgentsPage.tsx')).AgentsPage),
}

/** The pages that need no session. */
export const publicScreens = {
  signIn: screen(async () => (await import('./pages/sign-in/SignInPage.tsx')).SignInPage),
  invitation: screen(async () => (await import('./pages/invitation/InvitationPage.tsx')).InvitationPage),
}

/** The pages of one object each, and the page of the account. */
export const detailScreens = {
  account: screen(async () => (await import('./pages/account/AccountPage.tsx')).AccountPage),
  generation: screen(async () => (await import('./pages/history/GenerationPage.tsx')).GenerationPage),
  key: screen(async () => (await import('./pages/keys/KeyPage.tsx')).KeyPage),
  webhook: screen(async () => (await import('./pages/webhooks/WebhookPage.tsx')).WebhookPage),
  member: screen(async () => (await import('./pages/members/MemberPage.tsx')).MemberPage),
  family: screen(async () => (await import('./pages/catalog/FamilyPage.tsx')).FamilyPage),
}

const detailOf: Readonly<Record<string, Screen>> = {
  history: detailScreens.generation,
  keys: detailScreens.key,
  webhooks: detailScreens.webhook,
  members: detailScreens.member,
  catalog: detailScreens.family,
}

/** The page at a path of the UI; undefined for unknown paths. */
function screenAt(pathname: string): Screen | undefined {
  if (pathname !== base && !pathname.startsWith(`${base}/`)) return undefined
  const path = pathname.slice(base.length)
  if (path === paths.signIn()) return publicScreens.signIn
  if (path === paths.invitation) return publicScreens.invitation
  const [team, name, id] = path.slice(1).split('/')
  if (!team || (!name && team.startsWith('team_'))) return screens.overview
  if (name === 'account') return detailScreens.account
  const pages: Readonly<Record<string, Screen>> = id ? detailOf : screens
  // The name comes from the address and may be `constructor`, which every object inherits.
  return name !== undefined && Object.hasOwn(pages, name) ? pages[name] : undefined
}

/** The queries that a page at an address needs first: the person, and the rows of an unfiltered history. */
function queriesAt({ pathname, search }: Location, screen: Screen): PrefetchQuery[] {
  if (Object.values(publicScreens).includes(screen)) return []
  const viewer = { document: viewerDocument }
  const [teamId = ''] = pathname.slice(`${base}/`.length).split('/')
  if (screen !== screens.history || search !== '' || !teamId.startsWith('team_')) return [viewer]
  return [viewer, { document: historyDocument, variables: { teamId, first: historyPageRows } }]
}

/** The page at the address of the document; undefined for unknown paths. */
export const firstScreen = screenAt(location.pathname)

// This file is loaded by itself, so that the page and its rows begin to load before the code that all pages need has arrived.
if (firstScreen) {
  prefetchQueries(queriesAt(location, firstScreen))
  if (location.pathname.startsWith(`${base}/team_`)) drawFirstFrame(idOf(firstScreen))
  // After the first paint, whose styles and font would share the line with it. main.tsx loads it in a hidden tab, which is not painted.
  requestAnimationFrame(() => setTimeout(firstScreen.preload))
}

function idOf(screen: Screen): TeamScreenId | undefined {
  return (Object.keys(screens) as TeamScreenId[]).find((id) => screens[id] === screen)
}
