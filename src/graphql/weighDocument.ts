import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode, visit } from 'graphql'
import { invalidRequest, type Refusal } from '../contract/refusals.ts'
import { documentLimits } from './documentLimits.ts'
import { selectionsOf } from './selections.ts'

/** `tokens` and `comments` are counted by whoever reads the document. */
type Limited = Exclude<keyof typeof documentLimits, 'tokens' | 'comments'>

/**
 * Why a document is too much for us, if it is: said before anything that takes longer looks at it. It has been read within the limit of
 * tokens; nothing else is known of it.
 * Refusals: invalid_request at `query`.
 */
export function weighDocument(schema: GraphQLSchema, document: DocumentNode): Refusal | undefined {
  const counted = countedIn(document)
  for (const what of ['selections', 'aliases', 'directives'] as const) {
    if (counted[what] > documentLimits[what]) return tooMuch(what)
  }
  for (const definition of document.definitions) {
    const over = definition.kind === Kind.OPERATION_DEFINITION ? overIn(schema, document, definition) : undefined
    if (over) return tooMuch(over)
  }
  return undefined
}

/** What is counted as it is written, in fragments that nothing uses as well. */
function countedIn(document: DocumentNode): { selections: number; aliases: number; directives: number } {
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
function overIn(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Limited | undefined {
  const sum = { selections: 0, rootFields: 0, cost: 0 }
  for (const { isField, depth, isIntrospection, cost } of selectionsOf(schema, document, operation)) {
    const depthLimit = isIntrospection ? 'introspectionDepth' : 'depth'
    if (depth > documentLimits[depthLimit]) return depthLimit
    sum.selections += 1
    sum.rootFields += isField && depth === 1 ? 1 : 0
    sum.cost += cost
    for (const what of ['selections', 'rootFields', 'cost'] as const) if (sum[what] > documentLimits[what]) return what
  }
  return undefined
}

const words: Record<Limited, (most: string) => string> = {
  selections: (most) => `A document may hold ${most} fields and fragments at most, counted wherever a fragment is used.`,
  depth: (most) => `Fields may stand ${most} levels deep at most.`,
  introspectionDepth: (most) => `Introspection may go ${most} levels deep at most.`,
  rootFields: (most) => `An operation may hold ${most} fields at its root at most.`,
  aliases: (most) => `A document may hold ${most} aliases at most.`,
  directives: (most) => `A document may hold ${most} directives at most.`,
  cost: (most) => `An operation may cost ${most} at most: ask for shorter pages, or for fewer lists within lists.`,
}

function tooMuch(what: Limited): Refusal {
  const message = words[what](documentLimits[what].toLocaleString('en'))
  return invalidRequest({ in: 'body', path: ['query'], code: 'too_big', message })
}
