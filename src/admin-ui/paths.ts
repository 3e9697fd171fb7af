import type { permissions } from './api/permissions.generated.ts'

/** The path of the UI on our origin. All paths below are relative to it, as the router expects. */
export const base = '/integrations'

/** A screen of a team. People whose role does not permit `action` get "Not found" at its address. */
type TeamScreen = { name: string; action: keyof typeof permissions; group: 'Build' | 'Observe' | 'Team' }

/** The screens of a team, in the order of the navigation within each group. Contract: docs/contract.md#pages. */
export const teamScreens = {
  playground: { name: 'Playground', action: 'generations.read', group: 'Build' },
  catalog: { name: 'Catalog', action: 'catalog.read', group: 'Build' },
  keys: { name: 'API keys', action: 'keys.manage', group: 'Build' },
  webhooks: { name: 'Webhooks', action: 'webhooks.manage', group: 'Build' },
  agents: { name: 'Agents', action: 'agentKeys.issue', group: 'Build' },
  overview: { name: 'Overview', action: 'team.read', group: 'Observe' },
  history: { name: 'History', action: 'generations.read', group: 'Observe' },
  deliveries: { name: 'Deliveries', action: 'webhooks.manage', group: 'Observe' },
  usage: { name: 'Usage', action: 'usage.read', group: 'Observe' },
  audit: { name: 'Audit log', action: 'auditLog.read', group: 'Observe' },
  team: { name: 'Team', action: 'team.read', group: 'Team' },
  settings: { name: 'Settings', action: 'team.setRetention', group: 'Team' },
} as const satisfies Record<string, TeamScreen>

export type TeamScreenId = keyof typeof teamScreens

/** Replaces the team id for people without a team. */
export const personalTeam = 'personal'

type Query = Record<string, string | undefined>

/** All paths of the UI. Filters become the query: `paths.screen(teamId, 'history', { key: id })`. */
export const paths = {
  home: '/',
  invitation: '/invitation',
  account: (teamId: string) => `/${teamId}/account`,
  signIn: (returnTo?: string) => `/sign-in${queryOf({ next: returnTo })}`,
  team: (teamId: string) => `/${teamId}`,
  key: (teamId: string, keyId: string) => `/${teamId}/keys/${encodeURIComponent(keyId)}`,
  webhook: (teamId: string, webhookId: string) => `/${teamId}/webhooks/${encodeURIComponent(webhookId)}`,
  member: (teamId: string, userId: string) => `/${teamId}/members/${encodeURIComponent(userId)}`,
  family: (teamId: string, familyId: string) => `/${teamId}/catalog/${encodeURIComponent(familyId)}`,
  /** `address`: the query of a request. */
  playground: (teamId: string, address: string) => `/${teamId}/playground?${address}`,
  generation: (teamId: string, generationId: string) => `/${teamId}/history/${encodeURIComponent(generationId)}`,
  screen: (teamId: string, screen: TeamScreenId, filters: Query = {}) => `/${teamId}/${screen}${queryOf(filters)}`,
}

function queryOf(values: Query): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '')
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

/**
 * The address after the sign-in: the requested page of this UI, otherwise the home page. Other addresses are ignored, so that a link
 * cannot redirect elsewhere.
 */
export function returnAddress(asked: string | null, origin: string): string {
  const address = asked === null ? null : URL.parse(asked, origin)
  const isOurs = address?.origin === origin && address.pathname.startsWith(`${base}/`) && !address.pathname.startsWith(`${base}/sign-in`)
  return address && isOurs ? `${address.pathname}${address.search}${address.hash}` : base
}
