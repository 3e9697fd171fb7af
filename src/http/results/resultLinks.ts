import type { FastifyInstance, FastifyReply } from 'fastify'
import { Refusal } from '../../contract/refusals/refusals.ts'
import { resultFileName } from '../../contract/resultFileName.ts'
import type { Services } from '../../domain/context.ts'
import { openLinkedObject } from '../../domain/generations/links/openLinkedObject.ts'
import { openThumbnail } from '../../domain/generations/links/openThumbnail.ts'
import { ObjectNotFound } from '../../storage/storage.ts'
import type { AddressLimits } from '../../transport/addressLimits.ts'
import { errorHandler } from '../../transport/translateError.ts'
import { ObjectDamaged, sendObject } from './sendObject.ts'

/**
 * `/r/{token}`: serves results to anyone with the link, inputs to the vendor that uses them and to people of the team, and thumbnails.
 * Contract: docs/contract.md#open-a-result-link, docs/contract.md#thumbnails. Refusals: not_found, too_many_concurrent,
 * service_unavailable.
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
        const { download, preview } = request.query as { download?: unknown; preview?: unknown }
        if (preview === '1') return await sendThumbnail(reply, services, token)
        const { id, storageKey: key, sizeBytes, sha256, mimeType } = await openLinkedObject(services, token)
        const object = { key, sizeBytes, sha256, mimeType, fileName: resultFileName(id, mimeType) }
        try {
          return await sendObject(request, reply, { storage: services.storage, object, download: download === '1' })
        } catch (error) {
          if (!isMissingOrDamaged(error)) throw error
          services.log.error({ requestId: request.id, objectOf: id, storageKey: key, reason: error.message }, 'a stored object is lost')
          throw new Refusal('not_found', undefined, { cause: error })
        }
      },
    })
  }
}

/** Browsers may keep a thumbnail as long as its link works. */
async function sendThumbnail(reply: FastifyReply, services: Services, token: string): Promise<FastifyReply> {
  const { jpeg, expiresAt } = await openThumbnail(services, token)
  const seconds = Math.max(0, Math.floor((expiresAt.getTime() - services.clock.now().getTime()) / 1000))
  const headers = {
    'cache-control': `private, max-age=${seconds}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
  return reply.headers(headers).type('image/jpeg').send(jpeg)
}

/** True when the object is missing or has another size than its row, so that nothing was sent. `doctor objects` lists all of them. */
function isMissingOrDamaged(error: unknown): error is Error {
  return error instanceof ObjectNotFound || error instanceof ObjectDamaged || error instanceof RangeError
}
