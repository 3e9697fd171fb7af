import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode, OperationTypeNode, visit } from 'graphql'
import { invalidRequest, type Refusal } from '../contract/refusals/refusals.ts'
import { type CallerKind, documentLimits, heavyBytes, operationLimits, responseBytesMax } from './documentLimits.ts'
import { selectionsOf } from './selections.ts'

/** The others are counted before the document is read, or while it is. */
type Limited =
  | Exclude<keyof typeof documentLimits, 'tokens' | 'comments' | 'nesting'>
  | keyof (typeof operationLimits)['person']
  | 'whileWaiting'

type Excess = { what: Limited; most: number }

/**
 * Why a document is too much for us, if it is: said before anything that takes longer looks at it. It has been read within the limit of
 * tokens; nothing else is known of it.
 * Refusals: invalid_request at `query`.
 */
export function checkComplexity(schema: GraphQLSchema, document: DocumentNode, caller: CallerKind): Refusal | undefined {
  const counted = countNodes(document)
  for (const what of ['selections', 'aliases', 'directives'] as const) {
    if (counted[what] > documentLimits[what]) return complexityRefusal({ what, most: documentLimits[what] })
  }
  for (const definition of document.definitions) {
    const over = definition.kind === Kind.OPERATION_DEFINITION ? findExcess(schema, document, definition, caller) : undefined
    if (over) return complexityRefusal(over)
  }
  return undefined
}

/** What an operation within the limits comes to at most. */
export type Complexity = { rootFields: number; bytes: number; pages: number; waits: boolean }

const weights = new WeakMap<OperationDefinitionNode, Complexity>()

/** The weight of an operation of a document that passed; the same whatever its variables are. */
export function complexityOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Complexity {
  let weight = weights.get(operation)
  if (!weight) {
    weight = { rootFields: 0, bytes: 0, pages: 0, waits: false }
    for (const { isField, depth, bytes, pages, waits } of selectionsOf(schema, document, operation)) {
      weight.rootFields += isField && depth === 1 ? 1 : 0
      weight.bytes += bytes
      weight.pages += pages
      weight.waits ||= waits
    }
    weights.set(operation, weight)
  }
  return weight
}

/** What is counted as it is written, in fragments that nothing uses as well. */
function countNodes(document: DocumentNode): { selections: number; aliases: number; directives: number } {
  const counted = { selections: 0, aliases: 0, directives: 0 }
  visit(document, {
    Field({ alias }) {
      counted.selections += 1
      if (alias) counted.aliases += 1
    },
    FragmentSpread() {
      counted.selections += 1
    },
    InlineFragment() {
      counted.selections += 1
    },
    Directive() {
      counted.directives += 1
    },
  })
  return counted
}

/** What is counted as it would run. Stops at the first limit that is passed, however much would follow. */
function findExcess(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  caller: CallerKind,
): Excess | undefined {
  const { selections, rootFields, cost } = documentLimits
  const most = { selections, rootFields, cost, ...operationLimits[caller] }
  // An answer that is too long is refused while it is built, when a mutation has been carried out already.
  if (operation.operation === OperationTypeNode.MUTATION) Object.assign(most, { possibleBytes: responseBytesMax })
  const sum = { selections: 0, rootFields: 0, connections: 0, pages: 0, cost: 0, possibleBytes: 0 }
  let mayWait = false
  for (const { isField, depth, isIntrospection, isConnection, ...selected } of selectionsOf(schema, document, operation)) {
    const depthLimit = isIntrospection ? 'introspectionDepth' : 'depth'
    if (depth > documentLimits[depthLimit]) return { what: depthLimit, most: documentLimits[depthLimit] }
    sum.selections += 1
    sum.rootFields += isField && depth === 1 ? 1 : 0
    sum.connections += isConnection ? 1 : 0
    sum.pages += selected.pages
    sum.cost += selected.cost
    sum.possibleBytes += selected.bytes
    mayWait ||= selected.waits
    for (const what of counts) if (sum[what] > most[what]) return { what, most: most[what] }
  }
  // What an operation has read stays in memory while it waits.
  return caller === 'person' && mayWait && sum.possibleBytes > heavyBytes ? { what: 'whileWaiting', most: heavyBytes } : undefined
}

const counts = ['selections', 'rootFields', 'connections', 'cost', 'pages', 'possibleBytes'] as const

const words: Record<Limited, (most: string) => string> = {
  selections: (most) => `A document may hold ${most} fields and fragments at most, counted wherever a fragment is used.`,
  depth: (most) => `Fields may stand ${most} levels deep at most.`,
  introspectionDepth: (most) => `Introspection may go ${most} levels deep at most.`,
  rootFields: (most) => `An operation may hold ${most} fields at its root at most.`,
  aliases: (most) => `A document may hold ${most} aliases at most.`,
  directives: (most) => `A document may hold ${most} directives at most.`,
  cost: (most) => `An operation may cost ${most} at most: ask for shorter pages, or for fewer lists within lists.`,
  connections: (most) => `An operation may hold ${most} lists with pages at most: ask for the others in requests of their own.`,
  pages: (most) => `An operation may read ${most} pages at most: ask for fewer lists within lists, or say \`first\`.`,
  possibleBytes: (most) => `The answer could hold more than ${most} bytes: ask for shorter pages, or for fewer of the long fields.`,
  whileWaiting: (most) => `The answer of an operation that waits may hold ${most} bytes at most: wait first, and ask for the rest then.`,
}

function complexityRefusal({ what, most }: Excess): Refusal {
  const message = words[what](most.toLocaleString('en'))
  return invalidRequest({ in: 'body', path: ['query'], code: 'too_big', message })
}
