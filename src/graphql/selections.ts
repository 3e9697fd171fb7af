import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  type InlineFragmentNode,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { limits } from '../contract/limits.ts'
import { fieldCost } from './documentLimits.ts'
import { type Elements, introspect, introspectionOf } from './introspected.ts'

/** A field or fragment of an operation as it would run: how deep it stands, and what it costs over the whole answer. */
export type Selected = { isField: boolean; depth: number; isIntrospection: boolean; cost: number }

type Place = {
  type: unknown
  depth: number
  /** What is read below `__schema` and `__type`. */
  elements?: Elements | undefined
  /** How many times the answer may hold it. */
  times: number
  /** How long its lists may be. */
  listItems: number
}

type Document = { schema: GraphQLSchema; fragments: Map<string, FragmentDefinitionNode>; open: Set<unknown> }

/**
 * Walks through an operation with its fragments opened up where they are spread, one selection after the other, so that a caller can stop
 * at any. Takes documents that nothing has checked yet: unknown fields cost as plain ones, and a fragment inside itself is left closed.
 */
export function* selectionsOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Generator<Selected> {
  const fragments = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
  const known = { schema, fragments: new Map(fragments.map((node) => [node.name.value, node])), open: new Set() }
  const root = { type: schema.getRootType(operation.operation), depth: 0, times: 1, listItems: fieldCost.listItems }
  yield* selectionsIn(operation.selectionSet, root, known)
}

function* selectionsIn(selections: SelectionSetNode | undefined, place: Place, document: Document): Generator<Selected> {
  for (const node of selections?.selections ?? []) {
    if (node.kind === Kind.FIELD) {
      yield* fieldIn(node, place, document)
      continue
    }
    yield { isField: false, depth: place.depth, isIntrospection: place.elements !== undefined, cost: 0 }
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : document.fragments.get(node.name.value)
    if (!fragment || document.open.has(fragment)) continue
    document.open.add(fragment)
    yield* selectionsIn(fragment.selectionSet, { ...place, type: typeOf(fragment, place, document) }, document)
    document.open.delete(fragment)
  }
}

function* fieldIn(node: FieldNode, place: Place, document: Document): Generator<Selected> {
  const { type, times, elements } = place
  const depth = place.depth + 1
  const introspected = elements
    ? introspect(node, type, { elements, schema: document.schema })
    : introspectionOf(node, document.schema, times)
  if (introspected) {
    yield { isField: true, depth, isIntrospection: true, cost: introspected.cost }
    yield* selectionsIn(node.selectionSet, { ...place, depth, type: introspected.type, elements: introspected.elements }, document)
    return
  }
  const field = isObjectType(type) ? type.getFields()[node.name.value] : undefined
  const isPage = field !== undefined && isConnection(field)
  const cost = (isPage ? fieldCost.connection : fieldCost.plain) + Math.floor((node.alias?.value.length ?? 0) / fieldCost.nameCharacters)
  yield { isField: true, depth, isIntrospection: false, cost: times * cost }
  const below = {
    type: field && getNamedType(field.type),
    depth,
    times: field && isObjectList(field) ? times * place.listItems : times,
    listItems: isPage ? pageItems(node) : fieldCost.listItems,
  }
  yield* selectionsIn(node.selectionSet, below, document)
}

function typeOf({ typeCondition }: FragmentDefinitionNode | InlineFragmentNode, { type }: Place, { schema }: Document): unknown {
  return typeCondition ? schema.getType(typeCondition.name.value) : type
}

function isConnection({ type }: GraphQLField<unknown, unknown>): boolean {
  return getNamedType(type).name.endsWith('Connection')
}

function isObjectList({ type }: GraphQLField<unknown, unknown>): boolean {
  return isListType(getNullableType(type)) && !isLeafType(getNamedType(type))
}

/** What is written as `first` or `last`, or the longest page when it is left out or stands in a variable. */
function pageItems({ arguments: given = [] }: FieldNode): number {
  const sizes = given.flatMap(({ name, value }) =>
    (name.value === 'first' || name.value === 'last') && value.kind === Kind.INT ? [Number(value.value)] : [],
  )
  return Math.min(limits.historyPageItems, Math.max(1, ...(sizes.length > 0 ? sizes : [limits.historyPageItems])))
}
