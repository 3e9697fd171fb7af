import { isId } from '../../contract/ids.ts'
import { type Invitation, listInvitations, revokeInvitation } from '../../domain/access/invitations/invitations.ts'
import { inviteMember, type SentInvitation } from '../../domain/access/invitations/inviteMember.ts'
import { builder } from '../core/builder.ts'
import { keysetConnection } from '../core/keysetConnection.ts'
import { allow } from '../core/scopes.ts'
import { RoleEnum } from './membership.ts'
import { TeamType } from './team.ts'
import { UserType } from './user.ts'

const InvitationType = builder.objectRef<Invitation>('Invitation')

builder.objectType(InvitationType, {
  description: 'An open invitation to a team. A used, revoked or expired one is not listed.',
  authScopes: ({ teamId }) => allow('members.change', teamId),
  fields: (t) => ({
    id: t.exposeID('id'),
    email: t.exposeString('email', { description: 'The invited address.' }),
    role: t.expose('role', { type: RoleEnum, description: 'The role that acceptance gives.' }),
    mailed: t.exposeBoolean('mailed', { description: 'Whether the link was sent by mail, and shown to nobody.' }),
    invitedBy: t.field({
      type: UserType,
      nullable: true,
      description: 'The person who sent it; null for an internal tool.',
      resolve: ({ invitedBy }) => (invitedBy !== null && isId('user', invitedBy) ? invitedBy : null),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'The link works until then.' }),
  }),
})

builder.objectField(TeamType, 'invitations', (t) =>
  t.connection({
    type: InvitationType,
    description: 'The open invitations, newest first.',
    authScopes: ({ id }) => allow('members.change', id),
    resolve: ({ id: teamId }, page, { context }) =>
      keysetConnection(page, {
        find: (window) => listInvitations(context, teamId, window),
        keyOf: ({ id }) => id,
        isKey: (text) => isId('inv', text),
      }),
  }),
)

const SentInvitationType = builder.objectRef<SentInvitation>('InviteMemberPayload').implement({
  authScopes: { caller: true },
  fields: (t) => ({
    url: t.exposeString('url', {
      nullable: true,
      description: 'The link, which works once and is shown only here. Null when it was sent by mail.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'The link works until then.' }),
    invitation: t.expose('invitation', { type: InvitationType, description: 'The open invitation.' }),
  }),
})

const InviteMemberInput = builder.inputType('InviteMemberInput', {
  fields: (t) => ({
    teamId: t.id({ required: true }),
    email: t.string({ required: true, description: 'The address of the person, with or without an account.' }),
    role: t.field({ type: RoleEnum, required: true }),
  }),
})
const RevokeInvitationInput = builder.inputType('RevokeInvitationInput', {
  fields: (t) => ({ teamId: t.id({ required: true }), id: t.id({ required: true }) }),
})

builder.mutationFields((t) => ({
  inviteMember: t.field({
    type: SentInvitationType,
    description: 'Invites a person to a team by a link that works once. The answer does not tell whether the address has an account.',
    args: { input: t.arg({ type: InviteMemberInput, required: true }) },
    authScopes: (_root, { input }) => allow('members.change', input.teamId),
    resolve: (_root, { input }, { context }) => inviteMember(context, input),
  }),
  revokeInvitation: t.boolean({
    description: 'Ends the link of an open invitation. False when it was used, revoked or replaced before, or has expired.',
    args: { input: t.arg({ type: RevokeInvitationInput, required: true }) },
    authScopes: (_root, { input }) => allow('members.change', input.teamId),
    resolve: (_root, { input }, { context }) => revokeInvitation(context, input),
  }),
}))
