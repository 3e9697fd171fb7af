import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql'
import { momentOfId } from '../../contract/ids.ts'
import { invalidRequest } from '../../contract/refusals/refusals.ts'
import type { PublicGeneration } from '../../contract/shapes/generation.ts'
import type { Context } from '../../domain/context.ts'
import { sealCursor } from '../../domain/generations/history/historyCursor.ts'
import { historyFilterOf } from '../../domain/generations/history/historyFilter.ts'
import { listGenerations } from '../../domain/generations/history/listGenerations.ts'
import type { ListDetail } from '../../domain/generations/reading/generationColumns.ts'
import { type Connection, type ConnectionArguments, pageSize } from '../core/keysetConnection.ts'

/** A page of a history. `lookedBackTo`: how far back the history was scanned; null at its end. */
export type GenerationConnection = Connection<PublicGeneration> & { lookedBackTo: Date | null }

/**
 * A page of the history of a team or a person. Cursors are those of the REST history, and sealed lazily. Long columns are read only if
 * `info` selects their fields. Refusals: invalid_request for paging backwards, invalid_cursor.
 */
export async function generationConnection(
  context: Context,
  ownerId: string,
  { first, last, after, before, ...given }: ConnectionArguments & Parameters<typeof historyFilterOf>[0],
  info: GraphQLResolveInfo,
): Promise<GenerationConnection> {
  for (const [name, value] of Object.entries({ last, before })) {
    if (value === undefined || value === null) continue
    throw invalidRequest({
      in: 'body',
      path: [name],
      code: 'not_allowed',
      message: 'The history can only be read forwards. Use first and after.',
    })
  }
  const cursor = after ?? undefined
  const filter = historyFilterOf(given)
  const asked = { cursor, limit: pageSize({ first }), detail: requestedDetail(info) }
  const { items, nextCursor, resumeAt } = await listGenerations(context, { ownerId }, { ...filter, ...asked })
  const edges = items.map((node) => ({
    node,
    get cursor() {
      return sealCursor(context, { filter, ownerId, afterId: node.generationId })
    },
  }))
  return {
    edges,
    lookedBackTo: resumeAt === null ? null : momentOfId(resumeAt),
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

/** The fields of a generation and its result that need long columns. */
const longFields = new Set(['parameters', 'metadata', 'json', 'text'])

/** How much of each generation a list reads for the selected fields. A field with a directive counts as selected. */
function requestedDetail({ fieldNodes, fragments }: GraphQLResolveInfo): ListDetail {
  let detail: ListDetail = 'brief'
  const seen = new Set<string>()
  const open = fieldNodes.map(({ selectionSet }) => selectionSet)
  for (let set: SelectionSetNode | undefined; open.length > 0; ) {
    set = open.pop()
    for (const node of set?.selections ?? []) {
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        const name = node.name.value
        if (!seen.has(name)) open.push(fragments[name]?.selectionSet)
        seen.add(name)
        continue
      }
      if (node.kind === Kind.FIELD && longFields.has(node.name.value)) return 'whole'
      if (node.kind === Kind.FIELD && node.name.value === 'prompt') detail = 'prompt'
      open.push(node.selectionSet)
    }
  }
  return detail
}
