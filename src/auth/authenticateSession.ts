import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PersonActor } from '../domain/access/actor.ts'
import { renewSession } from '../domain/access/sessions/sessions.ts'
import { contextFor, type Services } from '../domain/context.ts'
import { type AdmissionOptions, admitSession } from '../transport/admission.ts'
import { requireOwnOrigin } from '../transport/requireSameOrigin.ts'
import { hasSessionCookie, readSessionDigest } from './sessionCookie.ts'

/**
 * Authenticates the session of a request, with one statement that also counts the request: for the person, or without a session for the
 * address. Renews the session once a day; the request does not wait for it. Refusals: access_denied for a request from a page of another
 * origin, rate_limited, too_many_concurrent.
 */
export function authenticateSession(services: Services, admission: AdmissionOptions) {
  const { publicUrl } = services.settings
  const context = contextFor(services, { kind: 'system' })
  const renewing = new Set<string>()

  function renew(sessionId: string): void {
    if (renewing.has(sessionId)) return
    renewing.add(sessionId)
    renewSession(context, sessionId)
      .catch((error: unknown) => services.log.debug({ sessionId, error }, 'a session was not renewed'))
      .finally(() => renewing.delete(sessionId))
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<PersonActor | undefined> => {
    const { cookie } = request.headers
    if (hasSessionCookie(cookie, publicUrl)) requireOwnOrigin(request, publicUrl)
    const session = await admitSession(request, reply, readSessionDigest(cookie, publicUrl), admission)
    if (!session) return undefined
    if (session.needsRenewal) renew(session.sessionId)
    return { kind: 'person', userId: session.userId, sessionId: session.sessionId }
  }
}
