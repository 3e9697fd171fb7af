import type { Scope } from './keyQueries.ts'

export type KeyTrial = {
  origin: string
  /** The text of the key. */
  value: string
  scopes: readonly Scope[]
  /** The family to start, when there is one that the key's ceilings allow. */
  familyId: string | undefined
}

/** The smallest picture that there is. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/**
 * A line for a shell that does the most useful thing that a key's scopes allow; for a key that opens no REST, what an agent is configured
 * with. Nothing in it needs quoting: a key has letters and digits alone.
 */
export function tryKeyCommand({ origin, value, scopes, familyId }: KeyTrial): string {
  const has = (scope: Scope) => scopes.includes(scope)
  const api = `${origin}/api/v1`
  const asKey = `-H 'Authorization: Bearer ${value}'`
  const post = (path: string, body: object) =>
    `curl -sS '${api}${path}' ${asKey} -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
  if (has('GENERATIONS_WRITE') && familyId !== undefined) return post('/generations?wait=60', { familyId, prompt: 'A lighthouse at dusk' })
  if (has('GENERATIONS_READ')) return `curl -sS '${api}/generations?limit=5' ${asKey}`
  if (has('CATALOG_READ')) return `curl -sS ${api}/families ${asKey}`
  if (has('ACCOUNT_READ')) return `curl -sS ${api}/account ${asKey}`
  if (has('FILES_WRITE')) return post('/files', { base64: pixel })
  if (has('GENERATIONS_WRITE')) return `curl -sS -X POST ${api}/generations/gen_YOURS/cancel ${asKey}`
  return agentConfiguration({ origin, value })
}

/** As most agents take it. */
function agentConfiguration({ origin, value }: Pick<KeyTrial, 'origin' | 'value'>): string {
  const server = { type: 'http', url: `${origin}/mcp`, headers: { Authorization: `Bearer ${value}` } }
  return JSON.stringify({ mcpServers: { atelier: server } }, null, 2)
}

type Family = { id: string; available: boolean; creditsFrom: number }

/** The family to try a key with: one of the sandbox if it may be used, else the cheapest; none when its ceilings allow none. */
export function trialFamily(families: readonly Family[], ceilings: readonly (number | null)[]): string | undefined {
  const most = Math.min(...ceilings.map((ceiling) => ceiling ?? Number.POSITIVE_INFINITY))
  const usable = families.filter(({ available, creditsFrom }) => available && creditsFrom <= most)
  const sandbox = usable.find(({ id }) => id === 'sandbox-image')
  return (sandbox ?? usable.toSorted((left, right) => left.creditsFrom - right.creditsFrom)[0])?.id
}
