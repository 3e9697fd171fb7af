import type { Json } from '../../../contract/json.ts'
import { getTextAtPath } from '../../connector/jsonPath.ts'
import type { JobHandle } from '../../provider.ts'

/** What accepted work is called at fal: paths below its address, so that the address itself may change. */
export type FalWork = { requestId: string; status: string; response: string; cancel: string }

/** Models that others have put together stand one level deeper. */
const namespaces = new Set(['workflows', 'comfy'])

/**
 * The handle to work that was accepted; `undefined` when the answer does not name it. The addresses that the answer gives are believed
 * where they lie below fal's own, since the key is sent there; all others are made of the identifier, as fal's own clients do.
 */
export function falHandle(answer: Json | undefined, { url, model }: { url: string; model: string }): JobHandle | undefined {
  const requestId = getTextAtPath(answer, 'request_id')
  if (requestId === undefined || requestId === '' || requestId.length > 200) return undefined
  const own = `/${appOf(model)}/requests/${encodeURIComponent(requestId)}`
  const work: FalWork = {
    requestId,
    status: pathBelow(url, getTextAtPath(answer, 'status_url')) ?? `${own}/status`,
    response: pathBelow(url, getTextAtPath(answer, 'response_url')) ?? own,
    cancel: pathBelow(url, getTextAtPath(answer, 'cancel_url')) ?? `${own}/cancel`,
  }
  return { provider: 'fal', v: 1, data: work }
}

/** Of a model only its owner and its app stand in the addresses of requests. */
function appOf(model: string): string {
  const parts = model.split('/')
  return parts.slice(0, namespaces.has(parts[0] ?? '') ? 3 : 2).join('/')
}

function pathBelow(base: string, address: string | undefined): string | undefined {
  const url = address === undefined ? null : URL.parse(address)
  const { origin, pathname } = new URL(base)
  const folder = pathname.replace(/\/$/, '')
  if (url === null || url.origin !== origin || !url.pathname.startsWith(`${folder}/`)) return undefined
  return url.pathname.slice(folder.length) + url.search
}
