import { limits } from '../../contract/limits.ts'
import { type GroupsClaim, lastGroupsClaim } from '../../domain/access/sessions/groupsClaims.ts'
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

const GroupsClaimOutcomeEnum = builder.enumType('GroupsClaimOutcome', {
  description:
    'READ: the claim was a list of texts. MISSING: there was none. MALFORMED: it was anything else. Only READ changes memberships.',
  values: { READ: { value: 'read' }, MISSING: { value: 'missing' }, MALFORMED: { value: 'malformed' } } as const,
})

const GroupsClaimType = builder.objectRef<{ name: string; last: GroupsClaim | undefined }>('GroupsClaim').implement({
  description:
    'The claim of ID tokens that lists the groups of the person, and its outcome at the last sign-in. Updated at most once a minute.',
  authScopes: { caller: true },
  fields: (t) => ({
    name: t.exposeString('name', { description: 'OIDC_GROUPS_CLAIM.' }),
    lastSignInAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'The last sign-in with OIDC. Null before the first.',
      resolve: ({ last }) => last?.signedInAt ?? null,
    }),
    lastOutcome: t.field({
      type: GroupsClaimOutcomeEnum,
      nullable: true,
      description: 'The outcome of the last sign-in. Null before the first.',
      resolve: ({ last }) => last?.outcome ?? null,
    }),
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
    resolve: (_team, _args, { context }) => context.settings.groupProvider?.name ?? null,
  }),
  groupsClaim: t.field({
    type: GroupsClaimType,
    nullable: true,
    description: 'The claim with the groups. Null while the deployment reads no groups.',
    authScopes: ({ id }) => allow('team.setGroups', id),
    resolve: async (_team, _args, { context }) => {
      const { groupProvider } = context.settings
      return groupProvider ? { name: groupProvider.claim, last: await lastGroupsClaim(context, groupProvider) } : null
    },
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
