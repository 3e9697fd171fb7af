import { createContextCache } from '@pothos/core'
import DataLoader from 'dataloader'
import { isId } from '../../contract/ids.ts'
import { type ActiveKeyCounts, countActiveKeys } from '../../domain/access/keys/countActiveKeys.ts'
import { findShownKeys } from '../../domain/access/keys/findShownKeys.ts'
import { addTeamMember } from '../../domain/access/teams/addTeamMember.ts'
import { findMembership, listMemberships, removeTeamMember, setTeamMember } from '../../domain/access/teams/memberships.ts'
import { searchMembers } from '../../domain/access/teams/searchMembers.ts'
import { sawCallbackSecret } from '../../domain/webhooks/callbacks/sawCallbackSecret.ts'
import { findShownWebhooks, type ShownSubscriptions } from '../../domain/webhooks/subscriptions/findShownWebhooks.ts'
import { type Membership, roles } from '../../entities/Membership.ts'
import { builder } from '../core/builder.ts'
import type { SchemaContext } from '../core/context.ts'
import { enumValues } from '../core/enumValues.ts'
import { keysetConnection } from '../core/keysetConnection.ts'
import { allow } from '../core/scopes.ts'
import { ApiKeyType } from '../keys/apiKey.ts'
import { AlertSubscriptionType } from '../webhooks/alertSubscription.ts'
import { WebhookSubscriptionType } from '../webhooks/webhookSubscription.ts'
import { TeamType } from './team.ts'
import { UserType } from './user.ts'

export const RoleEnum = builder.enumType('Role', { values: enumValues(roles) })

const MembershipType = builder.objectRef<Membership>('Membership')

const workingKeys = createContextCache(
  ({ context }: SchemaContext) => new DataLoader<Membership, ActiveKeyCounts>((members) => countActiveKeys(context, members)),
)

const shownKeys = createContextCache(
  ({ context }: SchemaContext) => new DataLoader<Membership, string[]>((members) => findShownKeys(context, members)),
)

const shownWebhooks = createContextCache(
  ({ context }: SchemaContext) => new DataLoader<Membership, ShownSubscriptions>((members) => findShownWebhooks(context, members)),
)

const callbackSecretSeen = createContextCache(
  ({ context }: SchemaContext) => new DataLoader<Membership, boolean>((members) => sawCallbackSecret(context, members)),
)

builder.objectType(MembershipType, {
  description: 'A person in a team.',
  authScopes: ({ teamId, userId }) => allow('members.read', teamId, userId),
  fields: (t) => ({
    team: t.field({ type: TeamType, resolve: ({ teamId }) => teamId }),
    user: t.field({ type: UserType, resolve: ({ userId }) => userId }),
    role: t.expose('role', { type: RoleEnum }),
    fromGroups: t.exposeBoolean('fromGroups', {
      description: 'Whether groups of the OIDC provider gave the membership, which then follows them. setTeamMember makes it one by hand.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    workingKeys: t.int({
      description: 'Live keys that they issued for the team. These stop when they leave.',
      resolve: async (member, _args, request) => (await workingKeys(request).load(member)).all,
    }),
    restKeys: t.int({
      description: 'Those of `workingKeys` with scopes beyond MCP. These also stop when they become MEMBER.',
      resolve: async (member, _args, request) => (await workingKeys(request).load(member)).rest,
    }),
    shownKeys: t.field({
      type: [ApiKeyType],
      description:
        'Live keys of the team, issued by others, of which a rotation showed them a value that has not ended; newest first, at most 50. That value works only while they are OWNER or ADMIN.',
      resolve: (member, _args, request) => shownKeys(request).load(member),
    }),
    shownWebhooks: t.field({
      type: [WebhookSubscriptionType],
      description:
        'Webhooks of the team whose present signing secret they were shown; newest first, at most 50. Rotate the secret when they leave, because they still have it.',
      authScopes: ({ teamId }) => allow('webhooks.manage', teamId),
      resolve: async (member, _args, request) => (await shownWebhooks(request).load(member)).webhooks,
    }),
    shownAlertSubscriptions: t.field({
      type: [AlertSubscriptionType],
      description:
        'Subscriptions to alerts whose present signing secret they were shown; newest first, at most 50. Rotate the secret when they leave, because they still have it.',
      authScopes: ({ teamId }) => allow('webhooks.manage', teamId),
      resolve: async (member, _args, request) => (await shownWebhooks(request).load(member)).alerts,
    }),
    sawCallbackSecret: t.boolean({
      description: 'Whether they read the present secret of the callbacks. Rotate it when they leave, because they still have it.',
      authScopes: ({ teamId }) => allow('webhooks.manage', teamId),
      resolve: (member, _args, request) => callbackSecretSeen(request).load(member),
    }),
  }),
})

builder.objectField(TeamType, 'members', (t) =>
  t.connection({
    type: MembershipType,
    args: { search: t.arg.string({ description: 'A part of the name or of the e-mail address, or a whole identifier.' }) },
    resolve: ({ id: teamId }, { search, ...page }, { context }) =>
      keysetConnection(page, {
        find: (window) => (search ? searchMembers(context, { teamId, search }, window) : listMemberships(context, { teamId }, window)),
        keyOf: ({ userId }) => userId,
        isKey: (text) => isId('user', text),
      }),
  }),
)

builder.objectField(TeamType, 'member', (t) =>
  t.field({
    type: MembershipType,
    nullable: true,
    description: 'One member of the team. Null for anybody else.',
    args: { userId: t.arg.id({ required: true, description: 'The person.' }) },
    resolve: ({ id: teamId }, { userId }, { context }) => findMembership(context, { teamId, userId }),
  }),
)

builder.objectField(UserType, 'memberships', (t) =>
  t.connection({
    type: MembershipType,
    resolve: ({ id: userId }, args, { context }) =>
      keysetConnection(args, {
        find: (window) => listMemberships(context, { userId }, window),
        keyOf: ({ teamId }) => teamId,
        isKey: (text) => isId('team', text),
      }),
  }),
)

const SetTeamMemberInput = builder.inputType('SetTeamMemberInput', {
  fields: (t) => ({
    teamId: t.id({ required: true }),
    userId: t.id({ required: true }),
    role: t.field({ type: RoleEnum, required: true }),
  }),
})

const AddTeamMemberInput = builder.inputType('AddTeamMemberInput', {
  fields: (t) => ({
    teamId: t.id({ required: true }),
    email: t.string({ required: true, description: 'The address of a person with an account, case-insensitive.' }),
    role: t.field({ type: RoleEnum, required: true }),
  }),
})

const AddedMember = builder.objectRef<{ membership: Membership; added: boolean }>('AddTeamMemberPayload')

builder.objectType(AddedMember, {
  authScopes: { caller: true },
  fields: (t) => ({
    membership: t.expose('membership', { type: MembershipType }),
    added: t.exposeBoolean('added', { description: 'False when they were in the team before; their role does not change.' }),
  }),
})

const RemoveTeamMemberInput = builder.inputType('RemoveTeamMemberInput', {
  fields: (t) => ({ teamId: t.id({ required: true }), userId: t.id({ required: true }) }),
})

builder.mutationFields((t) => ({
  setTeamMember: t.field({
    type: MembershipType,
    description:
      'Adds a person to a team, or changes their role. Only owners make or change owners, and a team keeps one owner; internal tools have no such limits.',
    args: { input: t.arg({ type: SetTeamMemberInput, required: true }) },
    authScopes: (_root, { input }) => allow('members.change', input.teamId),
    resolve: (_root, { input }, { context }) => setTeamMember(context, input),
  }),
  addTeamMember: t.field({
    type: AddedMember,
    description: 'Adds a person with an account to a team, for internal tools. People invite: see inviteMember.',
    args: { input: t.arg({ type: AddTeamMemberInput, required: true }) },
    authScopes: (_root, { input }) => allow('members.add', input.teamId),
    resolve: (_root, { input }, { context }) => addTeamMember(context, input),
  }),
  removeTeamMember: t.boolean({
    description: 'False when they were not in it. Everybody may leave, except the last owner.',
    args: { input: t.arg({ type: RemoveTeamMemberInput, required: true }) },
    authScopes: (_root, { input }) => allow('members.leave', input.teamId),
    resolve: (_root, { input }, { context }) => removeTeamMember(context, input),
  }),
}))
