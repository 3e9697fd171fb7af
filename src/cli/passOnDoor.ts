import type { ListenerConfig } from '../config/readConfig.ts'
import type { DocUrls } from '../contract/docUrl.ts'
import type { Log } from '../domain/context.ts'
import type { Door } from '../http/door.ts'
import type { InternalTimes } from '../http/internalSide.ts'
import { passOn } from '../http/passOn.ts'
import { clientAddress } from '../network/clientAddress.ts'
import { type AdmissionOptions, countRequest } from '../transport/admission.ts'
import type { RequestIds } from './requestIds.ts'

export type PassOnDoorOptions = {
  serves: ListenerConfig['serves']
  internalUrl: string | undefined
  log: Log
  docUrls: DocUrls
  requestIds: RequestIds
  admission: AdmissionOptions
  times: InternalTimes | undefined
}

/** What a public listener passes on, where INTERNAL_URL names the process that serves it; one that serves everything needs nobody. */
export function passOnDoor({ serves, internalUrl, requestIds, admission, ...options }: PassOnDoorOptions): Door[] {
  if (serves !== 'public' || internalUrl === undefined) return []
  return [
    passOn({
      ...options,
      ...requestIds,
      internalUrl,
      addressOf: (request) => clientAddress(request.ips ?? [request.ip]),
      count: (request, reply) => countRequest(request, reply, admission),
      countHere: admission.addressLimits.count,
    }),
  ]
}
