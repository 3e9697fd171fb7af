import type { Json } from '../../contract/json.ts'
import type { JobHandle } from '../provider.ts'

/** What accepted work is called at fal: paths below its address, so that the address itself may change. */
export type FalWork = { requestId: string; status: string; response: string; cancel: string }

/** Models that others have put together stand one level deeper. */
const namespaces = new Set(['workflows', 'comfy'])

/**
 * The handle to work that was accepted; `undefined` when the answer does not name it. The addresses that the answer gives are believed
 * where they lie below fal's own, since the key is sent there; all others are made of the identifier, as fal's own clients do.
 */
export function falHandle(answer: Json | undefined, { url, model }: { url: string; model: string }): JobHandle | undefined {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return undefined
  const {
    request_id: requestId,
    status_url: status,
    response_url: response,
    cancel_url: cancel,
  } = answer as Record<string, Json | undefined>
  if (typeof requestId !== 'string' || requestId === '' || requestId.length > 200) return undefined
  const own = `/${appOf(model)}/requests/${encodeURIComponent(requestId)}`
  const work: FalWork = {
    requestId,
    status: pathBelow(url, status) ?? `${own}/status`,
    response: pathBelow(url, response) ?? own,
    cancel: pathBelow(url, cancel) ?? `${own}/cancel`,
  }
  return { provider: 'fal', v: 1, data: work }
}

/** Of a model only its owner and its app stand in the addresses of requests. */
function appOf(model: string): string {
  const parts = model.split('/')
  return parts.slice(0, namespaces.has(parts[0] ?? '') ? 3 : 2).join('/')
}

function pathBelow(base: string, address: Json | undefined): string | undefined {
  const url = typeof address === 'string' ? URL.parse(address) : null
  const { origin, pathname } = new URL(base)
  const folder = pathname.replace(/\/$/, '')
  if (url === null || url.origin !== origin || !url.pathname.startsWith(`${folder}/`)) return undefined
  return url.pathname.slice(folder.length) + url.search
}
