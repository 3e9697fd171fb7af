import type { FastifyRequest } from 'fastify'
import type { Actor } from '../domain/access/actor.ts'
import { isServiceCaller } from '../transport/serviceCaller.ts'

/** Who asks, by the `Authorization` header; `undefined` for anybody whom we do not know. */
export function callerOf(request: FastifyRequest, serviceToken: string | undefined): Actor | undefined {
  return isServiceCaller(request, serviceToken) ? { kind: 'service' } : undefined
}
