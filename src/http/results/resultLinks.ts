import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../contract/refusals/refusals.ts'
import { resultFileName } from '../../contract/resultFileName.ts'
import type { Services } from '../../domain/context.ts'
import { openInputLink } from '../../domain/generations/links/inputLink.ts'
import { openResultLink } from '../../domain/generations/links/openResultLink.ts'
import { ObjectNotFound } from '../../storage/storage.ts'
import type { AddressLimits } from '../../transport/addressLimits.ts'
import { errorHandler } from '../../transport/translateError.ts'
import { ObjectDamaged, sendObject } from './sendObject.ts'

/**
 * `/r/{token}`: serves results to anyone with the link, and inputs to the vendor that uses them.
 * Contract: docs/contract.md#open-a-result-link. Refusals: not_found, too_many_concurrent.
 */
export function resultLinks(services: Services, { acquireSlot }: Pick<AddressLimits, 'acquireSlot'>) {
  return async (app: FastifyInstance): Promise<void> => {
    app.setErrorHandler(errorHandler(services))
    app.route({
      method: ['GET', 'HEAD'],
      url: '/r/:token',
      handler: async (request, reply) => {
        acquireSlot(request, reply)
        const { token } = request.params as { token: string }
        const { generationId, storageKey: key, sizeBytes, sha256, mimeType } = await openLinked(services, token)
        const object = { key, sizeBytes, sha256, mimeType, fileName: resultFileName(generationId, mimeType) }
        const { download } = request.query as { download?: unknown }
        try {
          return await sendObject(request, reply, { storage: services.storage, object, download: download === '1' })
        } catch (error) {
          if (!isMissingOrDamaged(error)) throw error
          services.log.error({ requestId: request.id, generationId, storageKey: key, reason: error.message }, 'a stored object is lost')
          throw new Refusal('not_found', undefined, { cause: error })
        }
      },
    })
  }
}

/** True when the object is missing or has another size than its row, so that nothing was sent. `doctor objects` lists all of them. */
function isMissingOrDamaged(error: unknown): error is Error {
  return error instanceof ObjectNotFound || error instanceof ObjectDamaged || error instanceof RangeError
}

async function openLinked(services: Services, token: string) {
  const input = await openInputLink(services, token)
  if (input) return input
  const { generationId, result } = await openResultLink(services, token)
  return { generationId, ...result }
}
