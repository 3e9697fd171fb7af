import type { FastifyInstance } from 'fastify'
import { Refusal } from '../contract/refusals.ts'
import { resultFileName } from '../contract/resultFileName.ts'
import type { Services } from '../domain/context.ts'
import { openInput } from '../domain/generations/inputLink.ts'
import { openResult } from '../domain/generations/openResult.ts'
import { ObjectNotFound } from '../storage/storage.ts'
import { errorHandler } from '../transport/translateError.ts'
import { deliverObject } from './deliverObject.ts'

/**
 * `/r/{token}`: delivers results to whoever holds the link, and inputs to the vendor that works with them.
 * Contract: section 3, result links; section 10.
 */
export function resultLinks(services: Services) {
  return async (app: FastifyInstance): Promise<void> => {
    app.setErrorHandler(errorHandler(services))
    app.route({
      method: ['GET', 'HEAD'],
      url: '/r/:token',
      handler: async (request, reply) => {
        const { token } = request.params as { token: string }
        const { generationId, storageKey: key, sizeBytes, sha256, mimeType } = await openLinked(services, token)
        const object = { key, sizeBytes, sha256, mimeType, fileName: resultFileName(generationId, mimeType) }
        const { download } = request.query as { download?: unknown }
        try {
          return await deliverObject(request, reply, { storage: services.storage, object, download: download === '1' })
        } catch (error) {
          throw error instanceof ObjectNotFound ? new Refusal('not_found', undefined, { cause: error }) : error
        }
      },
    })
  }
}

async function openLinked(services: Services, token: string) {
  const input = await openInput(services, token)
  if (input) return input
  const { generationId, result } = await openResult(services, token)
  return { generationId, ...result }
}
