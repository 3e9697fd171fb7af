import type { Json } from '../../../contract/json.ts'
import { getTextAtPath } from '../../connector/jsonPath.ts'
import type { JobHandle } from '../../provider.ts'

/** Accepted work at fal. Paths are relative to its base URL, which may change. */
export type FalWork = { requestId: string; status: string; response: string; cancel: string }

/** In these namespaces a model name has one more part. */
const namespaces = new Set(['workflows', 'comfy'])

/**
 * Returns the handle of accepted work; `undefined` when the answer has no request id. URLs of the answer are used only below fal's base
 * URL, because the key is sent there. Others are built from the request id, as fal's own clients do.
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

/** Request URLs contain only the owner and the app of a model. */
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
