import type { BadgeColor } from '../../ui/display/TextBadge.tsx'
import type { KeyHint, Scope } from './keyQueries.ts'

/** The scopes in the order of docs/contract.md#scopes, with their meaning. */
export const scopeLabels: Record<Scope, { text: string; allows: string }> = {
  CATALOG_READ: { text: 'catalog:read', allows: 'Read the catalog and the API’s description' },
  GENERATIONS_READ: { text: 'generations:read', allows: 'Read generations, history and estimates' },
  GENERATIONS_WRITE: { text: 'generations:write', allows: 'Start and cancel generations: spends the team’s credits' },
  FILES_WRITE: { text: 'files:write', allows: 'Upload input files' },
  ACCOUNT_READ: { text: 'account:read', allows: 'Read credits, ceilings and usage' },
  MCP: { text: 'mcp', allows: 'Connect agents over MCP, which spends your personal credits, not the team’s' },
  KEYS_WRITE: { text: 'keys:write', allows: 'Manage the team’s keys, within its own scopes, ceilings and end' },
  WEBHOOKS_WRITE: { text: 'webhooks:write', allows: 'Manage the team’s webhooks, which receive prompts and results' },
}

export const scopes = Object.keys(scopeLabels) as Scope[]

/** Scopes that are often chosen together. */
export const scopePresets: Readonly<Record<string, Scope[]>> = {
  'Run models': ['CATALOG_READ', 'GENERATIONS_READ', 'GENERATIONS_WRITE', 'FILES_WRITE'],
  'Read only': ['CATALOG_READ', 'GENERATIONS_READ', 'ACCOUNT_READ'],
}

/** Labels beside the name of a key. The state already shows that it ends soon. */
export const hintLabels: Record<Exclude<KeyHint, 'ENDS_SOON'>, { word: string; color: BadgeColor }> = {
  ISSUER_WITHOUT_ROLE: { word: 'Refused: issuer lost the role', color: 'red' },
  HOLDER_WITHOUT_ROLE: { word: 'Refused until rotated again', color: 'red' },
  NEAR_DAILY_CEILING: { word: 'Near its daily ceiling', color: 'orange' },
  NEAR_MONTHLY_CEILING: { word: 'Near its monthly ceiling', color: 'orange' },
  NEVER_USED: { word: 'Never used', color: 'gray' },
  IDLE: { word: 'Idle for 90 days', color: 'gray' },
}

/** Describes the running work of a key that ends. */
export function describeRunning(running: number): string {
  if (running === 0) return 'No generation is running.'
  return running === 1
    ? '1 generation is running. It finishes and is charged.'
    : `${running} generations are running. They finish and are charged.`
}

/** The server counts no further. */
const countedMax = 10_000

/** Describes the result links that end with a key. */
export function describeLinks(links: number): string {
  if (links === 0) return 'It holds no working links to results.'
  if (links === 1) return '1 link to a result stops working at once.'
  const many = links.toLocaleString('en')
  return `${links >= countedMax ? `${many} or more` : many} links to results stop working at once.`
}
