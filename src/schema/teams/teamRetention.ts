import { createContextCache } from '@pothos/core'
import DataLoader from 'dataloader'
import { setTeamRetention, type TeamRetention, teamRetentions } from '../../domain/access/teams/teamRetention.ts'
import { builder } from '../core/builder.ts'
import type { SchemaContext } from '../core/context.ts'
import { allow } from '../core/scopes.ts'
import { TeamType } from './team.ts'

const TeamRetentionType = builder.objectRef<TeamRetention>('TeamRetention')

builder.objectType(TeamRetentionType, {
  description: 'How long the team keeps its generations, in days after their end. The ledger and the usage are kept without limit.',
  authScopes: { caller: true },
  fields: (t) => ({
    mediaDays: t.exposeInt('mediaDays', { nullable: true, description: 'For results. Null: as long as their generation.' }),
    historyDays: t.exposeInt('historyDays', {
      nullable: true,
      description: 'For generations, with their prompts, results and deliveries. Null: the rule of the deployment.',
    }),
    deploymentHistoryDays: t.int({
      nullable: true,
      description:
        'Days after which the deployment deletes whole months of all teams, also for a team with a longer retention. Null: never.',
      resolve: (_retention, _args, { context }) => context.settings.historyRetentionDays ?? null,
    }),
  }),
})

const retentions = createContextCache(
  ({ context }: SchemaContext) => new DataLoader<string, TeamRetention>((teamIds) => teamRetentions(context, teamIds)),
)

builder.objectField(TeamType, 'retention', (t) =>
  t.field({ type: TeamRetentionType, resolve: ({ id }, _args, request) => retentions(request).load(id) }),
)

const SetTeamRetentionInput = builder.inputType('SetTeamRetentionInput', {
  fields: (t) => ({
    teamId: t.id({ required: true }),
    mediaDays: t.int({ description: '1 to 3650, at most `historyDays`. Null: as long as their generation. Omitted: no change.' }),
    historyDays: t.int({ description: '1 to 3650. Null: the rule of the deployment. Omitted: no change.' }),
  }),
})

builder.mutationField('setTeamRetention', (t) =>
  t.field({
    type: TeamType,
    description: 'Deletes older data within minutes, permanently.',
    args: { input: t.arg({ type: SetTeamRetentionInput, required: true }) },
    authScopes: (_root, { input }) => allow('team.setRetention', input.teamId),
    resolve: (_root, { input }, { context }) => setTeamRetention(context, input),
  }),
)
