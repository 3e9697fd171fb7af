import type { Scope } from './keyQueries.ts'

export type KeyTrial = {
  origin: string
  /** The value of the key. */
  value: string
  scopes: readonly Scope[]
  /** The family to start, if the ceilings of the key allow one. */
  familyId: string | undefined
}

/** A PNG of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/**
 * A shell command for the most useful action that the scopes allow; for a key without REST scopes, the configuration of an agent. Needs
 * no quoting, because a key has only letters and digits.
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
  if (has('KEYS_WRITE')) return `curl -sS ${api}/keys ${asKey}`
  if (has('WEBHOOKS_WRITE')) return `curl -sS ${api}/webhooks ${asKey}`
  return agentConfiguration({ origin, value })
}

/** The format that most agents accept. */
function agentConfiguration({ origin, value }: Pick<KeyTrial, 'origin' | 'value'>): string {
  const server = { type: 'http', url: `${origin}/mcp`, headers: { Authorization: `Bearer ${value}` } }
  return JSON.stringify({ mcpServers: { atelier: server } }, null, 2)
}

type Family = { id: string; available: boolean; creditsFrom: number }

/** The family to try a key with: a sandbox family if it is available, otherwise the cheapest; none when the ceilings allow none. */
export function trialFamily(families: readonly Family[], ceilings: readonly (number | null)[]): string | undefined {
  const most = Math.min(...ceilings.map((ceiling) => ceiling ?? Number.POSITIVE_INFINITY))
  const usable = families.filter(({ available, creditsFrom }) => available && creditsFrom <= most)
  const sandbox = usable.find(({ id }) => id === 'sandbox-image')
  return (sandbox ?? usable.toSorted((left, right) => left.creditsFrom - right.creditsFrom)[0])?.id
}
