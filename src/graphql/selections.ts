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
import { fieldCost, leafBytes } from './documentLimits.ts'
import { type Elements, introspectField, startIntrospection } from './introspectionCost.ts'

/**
 * A field or fragment of an operation as executed: its depth, and its cost, bytes and pages over the whole response.
 */
export type Selected = {
  isField: boolean
  depth: number
  isIntrospection: boolean
  cost: number
  bytes: number
  pages: number
  isConnection: boolean
  /** The field may wait for the end of a generation. */
  waits: boolean
}

const nothing = { isField: false, isIntrospection: false, cost: 0, bytes: 0, pages: 0, isConnection: false, waits: false }

type Place = {
  type: unknown
  depth: number
  /** The schema elements below `__schema` and `__type`. */
  elements?: Elements | undefined
  /** The maximum number of occurrences in the response. */
  times: number
  /** The maximum length of its lists. */
  listItems: number
}

type Document = { schema: GraphQLSchema; fragments: Map<string, FragmentDefinitionNode>; open: Set<unknown> }

/**
 * Yields the selections of an operation with its fragments expanded, so that a caller can stop at any. The document may be invalid: unknown
 * fields cost like plain ones, and a recursive fragment is not expanded again.
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
    yield { ...nothing, depth: place.depth, isIntrospection: place.elements !== undefined }
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
    ? introspectField(node, type, { elements, schema: document.schema })
    : startIntrospection(node, document.schema, times)
  if (introspected) {
    const { cost } = introspected
    yield { ...nothing, isField: true, depth, isIntrospection: true, cost, bytes: cost * fieldCost.introspectionCharacters }
    yield* selectionsIn(node.selectionSet, { ...place, depth, type: introspected.type, elements: introspected.elements }, document)
    return
  }
  const field = isObjectType(type) ? type.getFields()[node.name.value] : undefined
  const isList = field !== undefined && isConnection(field)
  yield selectedField(node, field, { depth, times })
  const below = {
    type: field && getNamedType(field.type),
    depth,
    times: field && isObjectList(field) ? times * place.listItems : times,
    listItems: isList ? pageItems(node) : fieldCost.listItems,
  }
  yield* selectionsIn(node.selectionSet, below, document)
}

function selectedField(
  node: FieldNode,
  field: GraphQLField<unknown, unknown> | undefined,
  { depth, times }: Pick<Place, 'depth' | 'times'>,
): Selected {
  const isList = field !== undefined && isConnection(field)
  const isPage = isList || field?.extensions['isPage'] === true
  const aliasCharacters = node.alias?.value.length ?? 0
  const cost = (isPage ? fieldCost.connection : fieldCost.plain) + Math.floor(aliasCharacters / fieldCost.nameCharacters)
  const nameCharacters = aliasCharacters || node.name.value.length
  return {
    ...nothing,
    isField: true,
    depth,
    cost: times * cost,
    bytes: times * (nameCharacters + (field ? longestValue(field) : leafBytes.other)),
    pages: isPage ? times : 0,
    isConnection: isList,
    waits: node.arguments?.some((each) => each.name.value === 'waitSeconds') ?? false,
  }
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

/** In bytes of JSON. The fields of an object are counted separately. */
function longestValue({ type, extensions }: GraphQLField<unknown, unknown>): number {
  const declared = extensions['maxFieldBytes']
  if (typeof declared === 'number') return declared
  const { name } = getNamedType(type)
  const each = name === 'String' || name === 'JSON' ? leafBytes[name] : leafBytes.other
  return isListType(getNullableType(type)) ? each * leafBytes.listItems : each
}

/** The literal `first` or `last`; the longest page when it is absent or a variable. */
function pageItems({ arguments: given = [] }: FieldNode): number {
  const sizes = given.flatMap(({ name, value }) =>
    (name.value === 'first' || name.value === 'last') && value.kind === Kind.INT ? [Number(value.value)] : [],
  )
  return Math.min(limits.historyPageItems, Math.max(1, ...(sizes.length > 0 ? sizes : [limits.historyPageItems])))
}
