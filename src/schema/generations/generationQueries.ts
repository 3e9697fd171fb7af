import { limits } from '../../contract/limits.ts'
import type { PublicGeneration } from '../../contract/shapes/generation.ts'
import { historyFilter, historyQuery, historyStatuses } from '../../contract/shapes/queries.ts'
import { historyFilterOf } from '../../domain/generations/history/historyFilter.ts'
import { countGenerations, listGenerations } from '../../domain/generations/history/listGenerations.ts'
import { getGeneration } from '../../domain/generations/reading/getGeneration.ts'
import { OutputTypeEnum } from '../catalog/outputType.ts'
import { builder } from '../core/builder.ts'
import { enumValues } from '../core/enumValues.ts'
import { countsAsPage, longest, maxFieldBytes } from '../core/fieldSizes.ts'
import { pageSize } from '../core/keysetConnection.ts'
import { resolveGenerationSpender, resolveTeamSpender } from '../core/resolveTeamSpender.ts'
import { allow } from '../core/scopes.ts'
import { argumentsOf } from '../core/shapeFields.ts'
import { TeamType } from '../teams/team.ts'
import { UserType } from '../teams/user.ts'
import { GenerationStateEnum, GenerationType, SourceEnum } from './generation.ts'
import { generationConnection } from './generationConnection.ts'
import { generationScopes } from './generationOrigin.ts'
import { waitOf, waitSecondsArgument } from './waitSeconds.ts'

const moments = { createdAfter: { type: 'DateTime' }, createdBefore: { type: 'DateTime' } } as const

const StatusEnum = builder.enumType('GenerationStatus', { values: enumValues(historyStatuses) })
const filterTypes = {
  ...moments,
  status: { type: StatusEnum },
  source: { type: SourceEnum },
  familyId: { type: 'ID' },
  keyId: { type: 'ID' },
} as const

builder.queryField('generation', (t) =>
  t.field({
    type: GenerationType,
    args: {
      id: t.arg.id({ required: true }),
      waitSeconds: t.arg({ ...waitSecondsArgument, required: true, defaultValue: 0 }),
    },
    authScopes: (_root, { id }, request) => generationScopes(request, 'generations.read', id),
    resolve: async (_root, { id, waitSeconds }, request) => {
      const spender = await resolveGenerationSpender(request.context, id)
      return await getGeneration(request.context, spender, id, waitOf(waitSeconds, request))
    },
  }),
)

builder.queryField('generations', (t) =>
  t.connection({
    type: GenerationType,
    description: 'The history of the team in `teamId` for internal tools, or of the key; newest first.',
    args: { teamId: t.arg.id(), ...argumentsOf(historyFilter, filterTypes) },
    authScopes: (_root, { teamId }) => allow('generations.list', teamId),
    resolve: async (_root, { teamId, ...args }, { context }, info) =>
      generationConnection(context, (await resolveTeamSpender(context, teamId)).ownerId, args, info),
  }),
)

const historyArguments = builder.args((t) => ({
  ...argumentsOf(historyFilter, filterTypes),
  state: t.field({ type: GenerationStateEnum }),
  apiKeyId: t.id({ description: 'The same as keyId.' }),
  userId: t.id({ description: 'Only generations that were started for this person.' }),
  search: t.string({ description: 'A part of the prompt or of the reference, case-insensitive.' }),
  outputType: t.field({ type: OutputTypeEnum, description: 'Only generations with that output.' }),
}))

const lookedBackTo = {
  type: 'DateTime',
  nullable: true,
  description: 'How far back the history was scanned. With several filters a page may be short or empty before the end of the history.',
} as const

builder.objectField(TeamType, 'generations', (t) =>
  t.connection(
    {
      type: GenerationType,
      description: 'The history of the team from all interfaces, newest first. A generation must match all filters.',
      args: historyArguments,
      resolve: ({ id }, { apiKeyId, keyId, ...args }, { context }, info) =>
        generationConnection(context, id, { ...args, keyId: keyId ?? apiKeyId ?? null }, info),
    },
    { fields: (t) => ({ lookedBackTo: t.expose('lookedBackTo', lookedBackTo) }) },
  ),
)

const GenerationCountType = builder.objectRef<Awaited<ReturnType<typeof countGenerations>>>('GenerationCount')

builder.objectType(GenerationCountType, {
  description: 'How many generations match.',
  authScopes: { caller: true },
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'The number of matching generations. A bounded number of the newest is compared.' }),
    isComplete: t.exposeBoolean('isComplete', { description: 'False when older generations were not compared, so that more may match.' }),
  }),
})

builder.objectField(TeamType, 'generationCount', (t) =>
  t.field({
    type: GenerationCountType,
    ...countsAsPage,
    description: 'How many generations of the history match all filters, of a bounded number of the newest.',
    args: historyArguments,
    resolve: ({ id }, { apiKeyId, keyId, ...args }, { context }) =>
      countGenerations(context, { ownerId: id }, historyFilterOf({ ...args, keyId: keyId ?? apiKeyId ?? null })),
  }),
)

builder.objectField(TeamType, 'generation', (t) =>
  t.field({
    type: GenerationType,
    description: 'A generation of the history of the team; a generation of another team is refused like an unknown one.',
    args: { id: t.arg.id({ required: true }) },
    resolve: ({ id: ownerId }, { id }, { context }) => getGeneration(context, { ownerId, keyId: null }, id),
  }),
)

builder.objectField(UserType, 'generations', (t) =>
  t.connection(
    {
      type: GenerationType,
      description: 'The generations of the person without a team, newest first.',
      args: historyArguments,
      authScopes: ({ id }) => allow('person.read', id),
      resolve: ({ id }, { apiKeyId, keyId, ...args }, { context }, info) =>
        generationConnection(context, id, { ...args, keyId: keyId ?? apiKeyId ?? null }, info),
    },
    { fields: (t) => ({ lookedBackTo: t.expose('lookedBackTo', lookedBackTo) }) },
  ),
)

const HistoryType = builder.objectRef<{ items: PublicGeneration[]; nextCursor: string | null }>('History')

builder.objectType(HistoryType, {
  description: 'The response of GET /generations.',
  authScopes: { caller: true },
  fields: (t) => ({
    json: t.field({
      type: 'JSON',
      ...maxFieldBytes(limits.historyPageItems * longest.body),
      resolve: ({ items, nextCursor }) => ({ items, nextCursor }),
    }),
  }),
})

builder.queryField('history', (t) =>
  t.field({
    type: HistoryType,
    ...countsAsPage,
    args: {
      ...argumentsOf(historyQuery.omit({ limit: true }), moments),
      limit: t.arg.int({ required: true }),
      teamId: t.arg.id(),
    },
    authScopes: (_root, { teamId }) => allow('generations.list', teamId),
    resolve: async (_root, { cursor, limit, teamId, ...given }, { context }) => {
      const spender = await resolveTeamSpender(context, teamId)
      return await listGenerations(context, spender, {
        cursor: cursor ?? undefined,
        limit: pageSize({ first: limit }),
        ...historyFilterOf(given),
      })
    },
  }),
)
