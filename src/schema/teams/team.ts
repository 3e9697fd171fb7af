import { isId } from '../../contract/ids.ts'
import { teamState } from '../../contract/shapes/account.ts'
import { listTeams } from '../../domain/access/directory.ts'
import { accountIdOf } from '../../domain/access/spender.ts'
import { deleteTeam } from '../../domain/access/teams/deleteTeam.ts'
import { createTeam, findTeam, loadTeams, teamStateOf, updateTeam } from '../../domain/access/teams/teams.ts'
import { builder } from '../core/builder.ts'
import { enumValues } from '../core/enumValues.ts'
import { keysetConnection } from '../core/keysetConnection.ts'
import { orderByKeys } from '../core/orderByKeys.ts'
import { allow } from '../core/scopes.ts'
import { AccountType } from '../credits/account.ts'

const TeamStateEnum = builder.enumType('TeamState', { values: enumValues(teamState.options) })

/** A team. The fields of its lists are defined beside the types of their entries. */
export const TeamType = builder.loadableObjectRef('Team', {
  load: async (ids: string[], { context }) => orderByKeys(ids, await loadTeams(context, ids), ({ id }) => id),
})

builder.objectType(TeamType, {
  authScopes: ({ id }) => allow('team.read', id),
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    planExpiresAt: t.expose('planExpiresAt', { type: 'DateTime', nullable: true, description: 'Null for a plan without an end.' }),
    blocked: t.exposeBoolean('blocked'),
    state: t.field({
      type: TeamStateEnum,
      description: 'ACTIVE, EXPIRED after the end of the plan, or BLOCKED. Keys of a team that is not active are refused.',
      resolve: (team, _args, { context }) => teamStateOf(team, context.clock.now()),
    }),
    externalAccess: t.exposeBoolean('externalAccess', { description: 'Whether keys of the team may be used at all.' }),
    requestsPerMinute: t.exposeInt('requestsPerMinute', {
      nullable: true,
      description: 'Requests per minute of its members. A user has the highest limit of their teams. Null: the limit of the deployment.',
    }),
    requestsInProgress: t.exposeInt('requestsInProgress', {
      nullable: true,
      description: 'Concurrent requests of its members, as `requestsPerMinute`.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    account: t.field({
      type: AccountType,
      description: 'The credits that its keys share.',
      resolve: ({ id }) => ({ id: accountIdOf(id) }),
    }),
  }),
})

builder.queryField('teams', (t) =>
  t.connection({
    type: TeamType,
    description: 'All teams, newest first, for internal tools.',
    args: { search: t.arg.string({ description: 'A part of the name, case-insensitive, or a whole identifier.' }) },
    authScopes: allow('team.list'),
    resolve: (_root, { search, ...page }, { context }) =>
      keysetConnection(page, {
        find: (window) => listTeams(context, { search }, window),
        keyOf: ({ id }) => id,
        isKey: (text) => isId('team', text),
      }),
  }),
)

builder.queryField('team', (t) =>
  t.field({
    type: TeamType,
    nullable: true,
    args: { id: t.arg.id({ required: true }) },
    authScopes: (_root, { id }) => allow('team.read', id),
    resolve: (_root, { id }, { context }) => findTeam(context, id),
  }),
)

const CreateTeamInput = builder.inputType('CreateTeamInput', {
  fields: (t) => ({
    name: t.string({ required: true }),
    planExpiresAt: t.field({ type: 'DateTime', description: 'Null or omitted: the plan has no end.' }),
  }),
})

const UpdateTeamInput = builder.inputType('UpdateTeamInput', {
  fields: (t) => ({
    id: t.id({ required: true }),
    name: t.string(),
    planExpiresAt: t.field({ type: 'DateTime', description: 'Null: the plan has no end.' }),
    blocked: t.boolean(),
    externalAccess: t.boolean(),
    requestsPerMinute: t.int({ description: 'See `Team.requestsPerMinute`. Null: the limit of the deployment.' }),
    requestsInProgress: t.int({ description: 'See `Team.requestsInProgress`. Null: the limit of the deployment.' }),
    monthlyLimitCredits: t.float({ description: 'The monthly budget, see `Team.monthlyLimitCredits`. Null: none.' }),
    lowCreditsThreshold: t.float({ description: 'See `Team.lowCreditsThreshold`. Null: no alert.' }),
  }),
})

const DeleteTeamInput = builder.inputType('DeleteTeamInput', {
  fields: (t) => ({
    teamId: t.id({ required: true }),
    name: t.string({ required: true, description: 'The exact name of the team, as a confirmation.' }),
  }),
})

const budgetFields = ['monthlyLimitCredits', 'lowCreditsThreshold']

function changesBudgetOnly({ id: _id, ...changes }: typeof UpdateTeamInput.$inferInput): boolean {
  const names = Object.keys(changes)
  return names.length > 0 && names.every((name) => budgetFields.includes(name))
}

builder.mutationFields((t) => ({
  deleteTeam: t.boolean({
    description:
      'Ends keys, links, webhooks and memberships at once, and deletes history and files within minutes. The ledger stays. False when deleted before.',
    args: { input: t.arg({ type: DeleteTeamInput, required: true }) },
    authScopes: (_root, { input }) => allow('team.delete', input.teamId),
    resolve: (_root, { input }, { context }) => deleteTeam(context, input),
  }),
  createTeam: t.field({
    type: TeamType,
    args: { input: t.arg({ type: CreateTeamInput, required: true }) },
    authScopes: allow('team.create'),
    resolve: (_root, { input }, { context }) => createTeam(context, input),
  }),
  updateTeam: t.field({
    type: TeamType,
    description: 'Owners and administrators may change the budget and `lowCreditsThreshold` alone; the rest is for internal tools.',
    args: { input: t.arg({ type: UpdateTeamInput, required: true }) },
    authScopes: (_root, { input }) => (changesBudgetOnly(input) ? allow('team.setBudget', input.id) : allow('team.update', input.id)),
    resolve: (_root, { input }, { context }) => updateTeam(context, input),
  }),
}))
