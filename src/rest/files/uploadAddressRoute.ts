import type { FastifyInstance, FastifyRequest } from 'fastify'
import { limits } from '../../contract/limits.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import { contextFor, type Services } from '../../domain/context.ts'
import type { IncomingContent } from '../../domain/incomingContent.ts'
import { invariant } from '../../domain/invariant.ts'
import type { Operations } from '../../schema/operations.ts'
import { abortOnDisconnect } from '../../transport/abortOnDisconnect.ts'
import { type AdmissionOptions, countRequest } from '../../transport/admission.ts'
import { admitUpload } from '../../transport/admitUpload.ts'
import { bodyBytes, requireAnnouncedSize } from '../../transport/bodyBytes.ts'
import { contentTypeOf, requireIdentityEncoding } from '../../transport/readJson.ts'
import { requestOrigin } from '../../transport/requestOrigin.ts'
import { errorHandler } from '../../transport/translateError.ts'
import { readUpload, requireUploadType } from './readUpload.ts'

export const uploadAddressPath = { path: '/u/{token}', methods: ['PUT', 'POST'] }

/**
 * Accepts the content of a file at its upload address: as the body of the request, or as the part `file` of a form. Checks the token, and
 * its key or person, before it reads the body. Other content types are ignored: the service detects the type from the content.
 * Refusals: not_found, payload_too_large, unsupported_content_type for an encoded body, and those of acceptFile.
 * Contract: docs/contract.md#upload-addresses.
 */
export function uploadAddressRoute(services: Services, { admission, operations }: { admission: AdmissionOptions; operations: Operations }) {
  const upload = operations.compile({ kind: 'mutation', name: 'uploadFile' })
  return async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _payload, done) => done(null))
    app.setErrorHandler(errorHandler(services))
    app.route({
      method: uploadAddressPath.methods,
      url: uploadAddressPath.path.replace('{token}', ':token'),
      config: { streamsBody: true },
      onRequest: async (request, reply) => {
        await countRequest(request, reply, admission)
        if (isForm(request)) return requireUploadType(request)
        requireIdentityEncoding(request, [])
        requireAnnouncedSize(request, limits.fileBytes)
      },
      handler: async (request, reply) => {
        const origin = requestOrigin(request, admission.addressOf)
        const { fileId, actor, teamId, mimeType } = await admitUpload(services, tokenOf(request))
        const signal = abortOnDisconnect(reply)
        const source: IncomingContent['source'] = { encoding: 'none', chunks: bodyBytes(request.raw, limits.fileBytes) }
        const sent = isForm(request) ? await readUpload(request, signal) : { content: { source, mimeType: () => mimeType, signal } }
        invariant('content' in sent, 'a form is read as content')
        const uploaded = await upload({ input: { teamId, content: { ...sent.content, fileId } } }, contextFor(services, actor, origin), {
          signal,
        })
        return reply.code(201).header('Cache-Control', 'no-store').send(uploaded)
      },
    })
  }
}

function isForm(request: FastifyRequest): boolean {
  return contentTypeOf(request).type === 'multipart/form-data'
}

function tokenOf({ params }: FastifyRequest): string {
  const { token } = params as { token?: string }
  if (token === undefined) throw new Refusal('not_found')
  return token
}
