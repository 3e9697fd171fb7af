import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql'
import type { ListDetail } from '../../domain/generations/reading/generationColumns.ts'

/** The fields of a generation and its result that need long columns. */
const longFields = new Set(['parameters', 'metadata', 'json', 'text'])

/** How much of each generation a list reads for the selected fields. A field with a directive counts as selected. */
export function requestedDetail({ fieldNodes, fragments }: GraphQLResolveInfo): ListDetail {
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
