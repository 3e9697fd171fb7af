import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ListenerConfig } from '../config/readConfig.ts'
import type { DocUrls } from '../contract/docUrl.ts'
import type { Log } from '../domain/context.ts'
import type { Door } from '../http/door.ts'
import type { InternalTimes } from '../http/internalSide.ts'
import { passOn } from '../http/passOn.ts'
import { clientAddress } from '../network/clientAddress.ts'

export type PassOnDoorOptions = {
  serves: ListenerConfig['serves']
  internalUrl: string | undefined
  log: Log
  docUrls: DocUrls
  sealId(requestId: string): string
  count(request: FastifyRequest, reply: FastifyReply): Promise<void>
  times: InternalTimes | undefined
}

/** What a public listener passes on, where INTERNAL_URL names the process that serves it; one that serves everything needs nobody. */
export function passOnDoor({ serves, internalUrl, ...options }: PassOnDoorOptions): Door[] {
  if (serves !== 'public' || internalUrl === undefined) return []
  const addressOf = (request: FastifyRequest) => clientAddress(request.ips ?? [request.ip])
  return [passOn({ ...options, internalUrl, addressOf })]
}
