import { createContextCache } from '@pothos/core'
import DataLoader from 'dataloader'
import { setTeamRetention, type TeamRetention, teamRetentions } from '../../domain/access/teams/teamRetention.ts'
import { builder } from '../core/builder.ts'
import type { SchemaContext } from '../core/context.ts'
import { allow } from '../core/scopes.ts'
import { TeamType } from './team.ts'

const TeamRetentionType = builder.objectRef<TeamRetention>('TeamRetention')

builder.objectType(TeamRetentionType, {
  description: 'How long the team keeps what it has made, in days after the work has ended. The ledger and the usage stay for ever.',
  authScopes: { caller: true },
  fields: (t) => ({
    mediaDays: t.exposeInt('mediaDays', { nullable: true, description: 'Results. Null: as long as their generation.' }),
    historyDays: t.exposeInt('historyDays', {
      nullable: true,
      description: 'Generations, with their prompts, results and deliveries. Null: as long as the deployment keeps them.',
    }),
    deploymentHistoryDays: t.int({
      nullable: true,
      description:
        'After how many days the deployment forgets whole months of everybody; a longer time of a team does not outlast it. Null: never.',
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
    mediaDays: t.int({ description: '1 to 3650, at most `historyDays`. Null: as long as their generation. Left out: as it is.' }),
    historyDays: t.int({ description: '1 to 3650. Null: as long as the deployment keeps them. Left out: as it is.' }),
  }),
})

builder.mutationField('setTeamRetention', (t) =>
  t.field({
    type: TeamType,
    description: 'What is older goes within minutes, for good.',
    args: { input: t.arg({ type: SetTeamRetentionInput, required: true }) },
    authScopes: (_root, { input }) => allow('team.setRetention', input.teamId),
    resolve: (_root, { input }, { context }) => setTeamRetention(context, input),
  }),
)
