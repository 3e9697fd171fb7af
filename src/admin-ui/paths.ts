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

/** What a screen is for, in one sentence below its heading. */
export const descriptions: Record<TeamScreenId, string> = {
  playground: 'Run a model on the credits of your team, and compare what it makes.',
  catalog: 'The model families that keys of your team can run, what they make and what they cost.',
  keys: 'Programs use a key to run models for this team. A key spends the team’s credits, up to the ceilings that you set.',
  webhooks: 'Atelier sends an event to these addresses when a generation of your team ends, over the API or through an agent.',
  agents:
    'An agent, such as Claude Code or Cursor, connects over MCP with a key of your own. It finds models, runs them in your name and shows you the results.',
  overview: 'What your team spends and runs, what needs attention, and the latest media.',
  history: 'Everything that your team has generated, by program, agent or editor.',
  deliveries: 'Every event that was sent to your webhooks and callbacks in the last 30 days, and every alert.',
  usage: 'Generations and credits of the team, by the day on which the generations ended.',
  audit: 'Who changed keys, webhooks, members and settings of this team in the last 400 days.',
  team: 'Its credits and plan, and who works in it.',
  settings: 'Who runs models here, when low credits warn, how long the team keeps its results and history, and how to delete the team.',
}

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
