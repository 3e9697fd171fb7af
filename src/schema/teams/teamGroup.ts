import { limits } from '../../contract/limits.ts'
import { listTeamGroups, setTeamGroup, type TeamGroup } from '../../domain/access/teams/teamGroups.ts'
import { builder } from '../core/builder.ts'
import { allow } from '../core/scopes.ts'
import { RoleEnum } from './membership.ts'
import { TeamType } from './team.ts'

const TeamGroupType = builder.objectRef<TeamGroup>('TeamGroup').implement({
  description: 'A group of the OIDC provider that gives its people a role in the team, when they sign in.',
  authScopes: { caller: true },
  fields: (t) => ({
    group: t.exposeString('group', { description: 'Its name, exactly as in the ID token.' }),
    role: t.expose('role', { type: RoleEnum }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
})

builder.objectFields(TeamType, (t) => ({
  groups: t.field({
    type: [TeamGroupType],
    description: `The groups that give a role in the team, by name; at most ${limits.groupsPerTeam}. For owners.`,
    authScopes: ({ id }) => allow('team.setGroups', id),
    resolve: ({ id }, _args, { context }) => listTeamGroups(context, id),
  }),
  groupProvider: t.string({
    nullable: true,
    description: 'The name of the OIDC provider whose groups count. Null while the deployment reads no groups.',
    authScopes: ({ id }) => allow('team.setGroups', id),
    resolve: (_team, _args, { context }) => context.settings.groupProvider ?? null,
  }),
}))

const SetTeamGroupInput = builder.inputType('SetTeamGroupInput', {
  fields: (t) => ({
    teamId: t.id({ required: true }),
    group: t.string({ required: true, description: 'The name of a group, exactly as in the ID token; 1 to 200 characters.' }),
    role: t.field({ type: RoleEnum, description: 'The role that it gives. Null or omitted: none.' }),
  }),
})

builder.mutationField('setTeamGroup', (t) =>
  t.field({
    type: TeamType,
    description:
      'Sets the role in the team that a group of the OIDC provider gives, or removes the group. Memberships change at the next sign-in.',
    args: { input: t.arg({ type: SetTeamGroupInput, required: true }) },
    authScopes: (_root, { input }) => allow('team.setGroups', input.teamId),
    resolve: (_root, { input }, { context }) => setTeamGroup(context, input),
  }),
)
