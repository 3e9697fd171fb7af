import { Refusal } from '../../contract/refusals/refusals.ts'
import type { PersonActor } from '../../domain/access/actor.ts'
import { setTimeZone } from '../../domain/access/people/setTimeZone.ts'
import { changePassword } from '../../domain/access/sessions/changePassword.ts'
import { endAllSessions, endSessionById, listSessions, type OwnSession, sessionOwner } from '../../domain/access/sessions/ownSessions.ts'
import type { Context } from '../../domain/context.ts'
import { builder } from '../core/builder.ts'
import { type AuthScopes, allow, namedOwner } from '../core/scopes.ts'
import { UserType } from './user.ts'

const SessionType = builder.objectRef<OwnSession>('Session')

builder.objectType(SessionType, {
  description: 'A signed-in browser of a person.',
  authScopes: ({ userId }) => allow('person.endSessions', userId),
  fields: (t) => ({
    id: t.exposeID('id'),
    current: t.boolean({
      description: 'Whether this request came from it.',
      resolve: ({ id }, _args, { context: { actor } }) => actor.kind === 'person' && actor.sessionId === id,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the person signed in.' }),
    lastUsedAt: t.expose('usedAt', { type: 'DateTime', description: 'Exact to a day.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it ends without further use.' }),
    userAgent: t.exposeString('userAgent', { nullable: true, description: 'Of the browser that signed in.' }),
    address: t.exposeString('address', { nullable: true, description: 'Of the client that signed in; for IPv6 the /64.' }),
  }),
})

const personArgument = 'A person, for internal tools. Default: the signed-in person.'

builder.queryField('sessions', (t) =>
  t.field({
    type: [SessionType],
    description: 'The sessions of a person that have not ended, newest first.',
    args: { userId: t.arg.id({ description: personArgument }) },
    authScopes: (_root, { userId }, request) => allow('person.endSessions', namedOwner(userId, request)),
    resolve: (_root, { userId }, request) => listSessions(request.context, namedOwner(userId, request) ?? ''),
  }),
)

const ChangePasswordInput = builder.inputType('ChangePasswordInput', {
  fields: (t) => ({
    oldPassword: t.string({ required: true, description: 'The present password.' }),
    newPassword: t.string({ required: true, description: '8 to 200 characters.' }),
  }),
})
const SetTimeZoneInput = builder.inputType('SetTimeZoneInput', {
  fields: (t) => ({ timeZone: t.string({ description: 'An IANA name such as `Europe/Berlin`. Null: that of the browser.' }) }),
})
const EndSessionInput = builder.inputType('EndSessionInput', { fields: (t) => ({ id: t.id({ required: true }) }) })

/** The scopes to end that session. An ended one permits only internal tools. */
async function endSessionScopes(context: Context, id: string): Promise<Partial<AuthScopes>> {
  return allow('person.endSessions', await sessionOwner(context, id))
}

/** The scopes of actions that only the signed-in person may do for themselves. */
function signedInScopes({ actor }: Context): Partial<AuthScopes> {
  return actor.kind === 'person' ? { person: actor.userId } : {}
}

function asPerson(context: Context): Context & { actor: PersonActor } {
  const { actor } = context
  if (actor.kind !== 'person') throw new Refusal('access_denied', { cause: 'role' })
  return { ...context, actor }
}

builder.mutationFields((t) => ({
  changePassword: t.boolean({
    description: 'Changes the own password and ends all other sessions. Internal tools use updateUser.',
    args: { input: t.arg({ type: ChangePasswordInput, required: true }) },
    authScopes: (_root, _args, { context }) => signedInScopes(context),
    resolve: async (_root, { input }, { context }) => {
      await changePassword(asPerson(context), input)
      return true
    },
  }),
  setTimeZone: t.field({
    type: UserType,
    description: 'Sets the zone in which the signed-in person sees times, in every browser.',
    args: { input: t.arg({ type: SetTimeZoneInput, required: true }) },
    authScopes: (_root, _args, { context }) => signedInScopes(context),
    resolve: async (_root, { input }, { context }) => {
      const person = asPerson(context)
      await setTimeZone(person, input.timeZone ?? null)
      return person.actor.userId
    },
  }),
  endSession: t.boolean({
    description: 'Signs one browser out. False when the session had ended.',
    args: { input: t.arg({ type: EndSessionInput, required: true }) },
    authScopes: (_root, { input }, { context }) => endSessionScopes(context, input.id),
    resolve: (_root, { input }, { context }) => endSessionById(context, input.id),
  }),
  endSessions: t.int({
    description: 'Signs a person out everywhere, also here. Returns how many sessions ended.',
    args: { userId: t.arg.id({ description: personArgument }) },
    authScopes: (_root, { userId }, request) => allow('person.endSessions', namedOwner(userId, request)),
    resolve: (_root, { userId }, request) => endAllSessions(request.context, namedOwner(userId, request) ?? ''),
  }),
}))
