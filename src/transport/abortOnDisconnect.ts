import type { FastifyReply } from 'fastify'
import { invalidRequest, Refusal } from '../contract/refusals/refusals.ts'

/** Aborts when the client disconnects before the response, or at shutdown. The reason is a refusal, because neither is a fault. */
export function abortOnDisconnect(reply: FastifyReply, shutdown?: AbortSignal): AbortSignal {
  const controller = new AbortController()
  if (reply.raw.destroyed) controller.abort(clientGone)
  const stop = () => controller.abort(stopping)
  shutdown?.addEventListener('abort', stop, { once: true })
  reply.raw.once('close', () => {
    shutdown?.removeEventListener('abort', stop)
    if (!reply.raw.writableFinished) controller.abort(clientGone)
  })
  if (shutdown?.aborted) stop()
  return controller.signal
}

const stopping = new Refusal('service_unavailable', { retryAfterSeconds: 5 })
const clientGone = invalidRequest({ in: 'body', path: [], code: 'bad_format', message: 'The client disconnected.' })
