import { type ComponentType, lazy } from 'react'
import { base, type TeamScreenId } from './paths.ts'

/** A page in its own chunk. `preload` loads the chunk before it is rendered. */
type Screen = { Page: ComponentType; preload(): void }

function screen(load: () => Promise<ComponentType>): Screen {
  let loading: Promise<ComponentType> | undefined
  const loadOnce = () => (loading ??= load())
  return {
    Page: lazy(async () => ({ default: await loadOnce() })),
    // A failure is shown when the page is rendered; the next attempt loads again.
    preload: () => void loadOnce().catch(() => (loading = undefined)),
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

/** The pages of one object each, and the page of the account. */
export const detailScreens = {
  account: screen(async () => (await import('./pages/account/AccountPage.tsx')).AccountPage),
  generation: screen(async () => (await import('./pages/history/GenerationPage.tsx')).GenerationPage),
  key: screen(async () => (await import('./pages/keys/KeyPage.tsx')).KeyPage),
  webhook: screen(async () => (await import('./pages/webhooks/WebhookPage.tsx')).WebhookPage),
  member: screen(async () => (await import('./pages/members/MemberPage.tsx')).MemberPage),
  family: screen(async () => (await import('./pages/catalog/FamilyPage.tsx')).FamilyPage),
}

const detailOf: Partial<Record<string, Screen>> = {
  history: detailScreens.generation,
  keys: detailScreens.key,
  webhooks: detailScreens.webhook,
  members: detailScreens.member,
  catalog: detailScreens.family,
}

/** The page at a path of the UI; undefined for the sign-in and unknown paths. */
export function screenAt(pathname: string): Screen | undefined {
  if (pathname !== base && !pathname.startsWith(`${base}/`)) return undefined
  const [team, name, id] = pathname.slice(base.length + 1).split('/')
  if (!team || (!name && team.startsWith('team_'))) return screens.overview
  if (name === 'account') return detailScreens.account
  if (id) return detailOf[name ?? '']
  return Object.hasOwn(screens, name ?? '') ? screens[name as TeamScreenId] : undefined
}
