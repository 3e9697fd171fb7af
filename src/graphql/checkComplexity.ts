import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode, OperationTypeNode, visit } from 'graphql'
import { invalidRequest, type Refusal } from '../contract/refusals/refusals.ts'
import { type CallerKind, documentLimits, heavyBytes, operationLimits, pageBytes, responseBytesMax } from './documentLimits.ts'
import { selectionsOf } from './selections.ts'

/** The limits that are checked after the document was parsed. */
type Limited =
  | Exclude<keyof typeof documentLimits, 'tokens' | 'comments' | 'nesting'>
  | keyof (typeof operationLimits)['person']
  | 'whileWaiting'

type Excess = { what: Limited; most: number }

/**
 * The refusal of a document that exceeds a limit. Runs before validation, whose time can grow with the square of the document. The document
 * was parsed within the limit of tokens, and is not validated yet.
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

/** The upper bounds of an operation within the limits. */
export type Complexity = { rootFields: number; bytes: number; pages: number; waits: boolean }

const weights = new WeakMap<OperationDefinitionNode, Complexity>()

/** The complexity of an operation of an accepted document; independent of its variables. */
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

/** Counts the nodes of the document as written, including unused fragments. */
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

/** Counts the selections as executed. Stops at the first exceeded limit. */
function findExcess(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  caller: CallerKind,
): Excess | undefined {
  const { selections, rootFields, cost } = documentLimits
  const most = { selections, rootFields, cost, ...operationLimits[caller] }
  // A response that is too long is refused during execution. For a mutation that would be too late.
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
  // The data of an operation stays in memory while it waits, and it does not wait for the heavy operations of the same person.
  const weight = sum.possibleBytes + sum.pages * pageBytes
  return caller === 'person' && mayWait && weight > heavyBytes ? { what: 'whileWaiting', most: heavyBytes } : undefined
}

const counts = ['selections', 'rootFields', 'connections', 'cost', 'pages', 'possibleBytes'] as const

const words: Record<Limited, (most: string) => string> = {
  selections: (most) => `A document may have at most ${most} fields and fragments, counted at each use of a fragment.`,
  depth: (most) => `Fields may have at most ${most} levels.`,
  introspectionDepth: (most) => `Introspection may have at most ${most} levels.`,
  rootFields: (most) => `An operation may have at most ${most} root fields.`,
  aliases: (most) => `A document may have at most ${most} aliases.`,
  directives: (most) => `A document may have at most ${most} directives.`,
  cost: (most) => `An operation may cost at most ${most}. Request shorter pages, or fewer nested lists.`,
  connections: (most) => `An operation may have at most ${most} paged lists. Request the others in separate requests.`,
  pages: (most) => `An operation may read at most ${most} pages. Request fewer nested lists, or set \`first\`.`,
  possibleBytes: (most) => `The response could have more than ${most} bytes. Request shorter pages, or fewer long fields.`,
  whileWaiting: (most) =>
    `The response of an operation that waits may have at most ${most} bytes, and a page counts as half of them. Wait first, then request the other fields.`,
}

function complexityRefusal({ what, most }: Excess): Refusal {
  const message = words[what](most.toLocaleString('en'))
  return invalidRequest({ in: 'body', path: ['query'], code: 'too_big', message })
}
