import type { PublicGeneration } from '../contract/generation.ts'
import { limits } from '../contract/limits.ts'
import { reference } from '../contract/metadata.ts'
import { invalidRequest } from '../contract/refusals.ts'
import type { Spender } from '../domain/access/spender.ts'
import type { Context } from '../domain/context.ts'
import { getGeneration } from '../domain/generations/getGeneration.ts'
import { type HistoryFilter, type HistoryStatus, historyStatuses, sealCursor } from '../domain/generations/historyCursor.ts'
import { listGenerations } from '../domain/generations/listGenerations.ts'
import { builder } from './builder.ts'
import { enumValues } from './enumValues.ts'
import { GenerationType } from './generation.ts'
import { type Connection, type ConnectionArguments, pageSize } from './keyedConnection.ts'
import { spenderFor, spenderOfGeneration } from './spenderFor.ts'
import { TeamType } from './team.ts'

const StatusEnum = builder.enumType('GenerationStatus', { values: enumValues(historyStatuses) })

builder.queryField('generation', (t) =>
  t.field({
    type: GenerationType,
    args: {
      id: t.arg.id({ required: true }),
      waitSeconds: t.arg.int({
        required: true,
        defaultValue: 0,
        description: 'Holds the answer until the work ends.',
        validate: { min: 0, max: limits.waitSecondsMax },
      }),
    },
    authScopes: { service: true, key: 'generations:read' },
    resolve: async (_root, { id, waitSeconds }, request) => {
      const spender = await spenderOfGeneration(request.context, id)
      const wait = waitSeconds > 0 ? { waitSeconds, signal: request.signal } : undefined
      return await getGeneration(request.context, spender, id, wait)
    },
  }),
)

builder.queryField('generations', (t) =>
  t.connection({
    type: GenerationType,
    description: 'The history of the team that an internal tool names, or of the key; newest first.',
    args: { teamId: t.arg.id(), status: t.arg({ type: StatusEnum }), reference: t.arg.string({ validate: { schema: reference } }) },
    authScopes: { service: true, key: 'generations:read' },
    resolve: async (_root, args, { context }) => generationPage(context, await spenderFor(context, args.teamId), args),
  }),
)

builder.objectField(TeamType, 'generations', (t) =>
  t.connection({
    type: GenerationType,
    description: 'Its history, from all doors; newest first.',
    args: { status: t.arg({ type: StatusEnum }), reference: t.arg.string({ validate: { schema: reference } }) },
    resolve: async ({ id }, args, { context }) => generationPage(context, await spenderFor(context, id), args),
  }),
)

const HistoryType = builder.objectRef<{ items: PublicGeneration[]; nextCursor: string | null }>('History')

builder.objectType(HistoryType, {
  description: 'A page of the history as GET /generations shows it.',
  authScopes: { caller: true },
  fields: (t) => ({ json: t.field({ type: 'JSON', resolve: (page) => page }) }),
})

builder.queryField('history', (t) =>
  t.field({
    type: HistoryType,
    args: {
      cursor: t.arg.string(),
      limit: t.arg.int({ required: true }),
      status: t.arg.string(),
      reference: t.arg.string({ validate: { schema: reference } }),
      teamId: t.arg.id(),
    },
    authScopes: { service: true, key: 'generations:read' },
    resolve: async (_root, { cursor, limit, status, reference, teamId }, { context }) => {
      const spender = await spenderFor(context, teamId)
      return await listGenerations(context, spender, {
        cursor: cursor ?? undefined,
        limit: pageSize({ first: limit }),
        status: readStatus(status),
        reference: reference ?? null,
      })
    },
  }),
)

/** Cursors are those of the REST history; they are sealed when somebody asks for them. Refusals: invalid_request for paging backwards. */
async function generationPage(
  context: Context,
  spender: Spender,
  { status, reference, ...args }: ConnectionArguments & { [Name in keyof HistoryFilter]?: HistoryFilter[Name] | undefined },
): Promise<Connection<PublicGeneration>> {
  for (const name of ['last', 'before'] as const) {
    if (args[name] === undefined || args[name] === null) continue
    throw invalidRequest({ in: 'body', path: [name], code: 'not_allowed', message: 'The history is read forwards.' })
  }
  const cursor = args.after ?? undefined
  const filter: HistoryFilter = { status: status ?? null, reference: reference ?? null }
  const { items, nextCursor } = await listGenerations(context, spender, { ...filter, cursor, limit: pageSize(args) })
  const edges = items.map((node) => ({
    node,
    get cursor() {
      return sealCursor(context, { ...filter, ownerId: spender.ownerId, afterId: node.generationId })
    },
  }))
  return {
    edges,
    pageInfo: {
      hasNextPage: nextCursor !== null,
      hasPreviousPage: cursor !== undefined,
      get startCursor() {
        return edges[0]?.cursor ?? null
      },
      get endCursor() {
        return nextCursor ?? edges.at(-1)?.cursor ?? null
      },
    },
  }
}

function readStatus(text: string | null | undefined): HistoryStatus | null {
  if (text === null || text === undefined) return null
  const status = historyStatuses.find((each) => each === text)
  if (status) return status
  const message = `Takes one of: ${historyStatuses.join(', ')}.`
  throw invalidRequest({ in: 'body', path: ['status'], code: 'not_allowed', message, allowed: [...historyStatuses] })
}
