import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { parseOrRefuse } from '../contract/refusals/issues.ts'
import { Refusal } from '../contract/refusals/refusals.ts'
import { acceptAsNewcomer, acceptInvitation } from '../domain/access/invitations/acceptInvitation.ts'
import { readInvitation } from '../domain/access/invitations/invitations.ts'
import { personOfSession } from '../domain/access/sessions/ownSessions.ts'
import type { Context, Services } from '../domain/context.ts'
import type { SessionIssuer } from './betterAuth.ts'
import { readSessionDigest } from './sessionCookie.ts'

type InvitationOptions = {
  contextOf(request: FastifyRequest): Context
  sessions(): Promise<SessionIssuer>
  /** Ends the session that the browser sent, because a new one replaces it. */
  signedIn(request: FastifyRequest): Promise<void>
}

const readBody = z.strictObject({ token: z.string().max(200) })
const acceptBody = z.union([
  z.strictObject({ token: z.string().max(200) }),
  z.strictObject({ token: z.string().max(200), name: z.string(), password: z.string() }),
])

/** The two requests of the page of an invitation. Contract: docs/contract.md#invitations. */
export function invitations({ settings: { publicUrl } }: Services, { contextOf, sessions, signedIn }: InvitationOptions) {
  const presentedPerson = async (request: FastifyRequest) => {
    const digest = readSessionDigest(request.headers.cookie, publicUrl)
    return digest && (await personOfSession(contextOf(request), digest))
  }

  return {
    /** Refusals: not_found for an invitation that is not open. */
    async read(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const { token } = parseOrRefuse(readBody, request.body, 'body')
      const invitation = await readInvitation(contextOf(request), token)
      return reply.send({ ...invitation, signedInAs: (await presentedPerson(request))?.email ?? null })
    },

    /** Without `name` and `password` the session of the browser accepts. Refusals: unauthorized without one; those of the two rules. */
    async accept(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const body = parseOrRefuse(acceptBody, request.body, 'body')
      if (!('password' in body)) {
        const person = await presentedPerson(request)
        if (!person) throw new Refusal('unauthorized', undefined, { message: 'Sign in to accept the invitation.' })
        return reply.send(await acceptInvitation(contextOf(request), { token: body.token, userId: person.userId }))
      }
      const { teamId, ...proven } = await acceptAsNewcomer(contextOf(request), body)
      const cookies = await (await sessions()).open(proven)
      if (cookies) await signedIn(request)
      return reply.header('Set-Cookie', cookies ?? []).send({ teamId })
    },
  }
}
