import { isId } from '../contract/ids.ts'
import { listMemberships, removeTeamMember, setTeamMember } from '../domain/access/memberships.ts'
import { type Membership, roles } from '../entities/Membership.ts'
import { builder } from './builder.ts'
import { enumValues } from './enumValues.ts'
import { keyedConnection } from './keyedConnection.ts'
import { TeamType } from './team.ts'
import { UserType } from './user.ts'

const RoleEnum = builder.enumType('Role', { values: enumValues(roles) })

const MembershipType = builder.objectRef<Membership>('Membership')

builder.objectType(MembershipType, {
  description: 'A person in a team.',
  authScopes: ({ teamId, userId }) => ({ teamMember: teamId, person: userId }),
  fields: (t) => ({
    team: t.field({ type: TeamType, resolve: ({ teamId }) => teamId }),
    user: t.field({ type: UserType, resolve: ({ userId }) => userId }),
    role: t.expose('role', { type: RoleEnum }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
})

builder.objectField(TeamType, 'members', (t) =>
  t.connection({
    type: MembershipType,
    resolve: ({ id: teamId }, args, { context }) =>
      keyedConnection(args, {
        find: (window) => listMemberships(context, { teamId }, window),
        keyOf: ({ userId }) => userId,
        isKey: (text) => isId('user', text),
      }),
  }),
)

builder.objectField(UserType, 'memberships', (t) =>
  t.connection({
    type: MembershipType,
    resolve: ({ id: userId }, args, { context }) =>
      keyedConnection(args, {
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

const RemoveTeamMemberInput = builder.inputType('RemoveTeamMemberInput', {
  fields: (t) => ({ teamId: t.id({ required: true }), userId: t.id({ required: true }) }),
})

builder.mutationFields((t) => ({
  setTeamMember: t.field({
    type: MembershipType,
    description: 'Puts a person into a team, or changes their role there.',
    args: { input: t.arg({ type: SetTeamMemberInput, required: true }) },
    authScopes: { service: true },
    resolve: (_root, { input }, { context }) => setTeamMember(context, input),
  }),
  removeTeamMember: t.boolean({
    description: 'False when they were not in it.',
    args: { input: t.arg({ type: RemoveTeamMemberInput, required: true }) },
    authScopes: { service: true },
    resolve: (_root, { input }, { context }) => removeTeamMember(context, input),
  }),
}))
