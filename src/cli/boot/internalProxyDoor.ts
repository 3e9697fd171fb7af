import type { ListenerConfig } from '../../config/listeners.ts'
import type { DocUrls } from '../../contract/docUrl.ts'
import type { Log } from '../../domain/context.ts'
import { internalProxy } from '../../http/proxy/internalProxy.ts'
import type { UpstreamTimeouts } from '../../http/proxy/internalUpstream.ts'
import type { RouteGroup } from '../../http/routeGroup.ts'
import { clientAddress } from '../../network/clientAddress.ts'
import { type AdmissionOptions, countRequest } from '../../transport/admission.ts'
import type { RequestIds } from './requestIds.ts'

export type InternalProxyDoorOptions = {
  serves: ListenerConfig['serves']
  internalUrl: string | undefined
  log: Log
  docUrls: DocUrls
  requestIds: RequestIds
  admission: AdmissionOptions
  times: UpstreamTimeouts | undefined
}

/** The routes that a public listener proxies to INTERNAL_URL; none for a listener that serves everything. */
export function internalProxyDoor({ serves, internalUrl, requestIds, admission, ...options }: InternalProxyDoorOptions): RouteGroup[] {
  if (serves !== 'public' || internalUrl === undefined) return []
  return [
    internalProxy({
      ...options,
      ...requestIds,
      internalUrl,
      addressOf: (request) => clientAddress(request.ips ?? [request.ip]),
      count: (request, reply) => countRequest(request, reply, admission),
      countLocally: admission.addressLimits.count,
    }),
  ]
}
