import {
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
} from 'graphql'
import { fieldCost } from './documentLimits.ts'

/** The schema elements that an introspection selection is read for, each with its number of occurrences in the response. */
export type Elements = ReadonlyMap<object, number>

/** The cost of an introspection field over the whole response, and the elements for its selections. */
export type IntrospectionCost = { cost: number; type: GraphQLNamedType | undefined; elements: Elements }

/**
 * Starts an introspection: `__schema`, or `__type` with a name. A name in a variable is assumed to be the widest type.
 * `undefined` for every other field.
 */
export function startIntrospection(node: FieldNode, schema: GraphQLSchema, times: number): IntrospectionCost | undefined {
  const name = node.name.value
  if (name === '__schema')
    return { cost: times * fieldCost.introspection, type: schema.getType('__Schema'), elements: new Map([[schema, times]]) }
  if (name !== '__type') return undefined
  const named = node.arguments?.find((each) => each.name.value === 'name')?.value
  const type = named?.kind === Kind.STRING ? schema.getType(named.value) : widestType(schema)
  return { cost: times * fieldCost.introspection, type: schema.getType('__Type'), elements: new Map(type ? [[type, times]] : []) }
}

/**
 * Resolves one introspection field for all `elements`, like the executor. The cost is the size of the response. The work of this function is
 * proportional to the cost, so that the limit bounds both.
 */
export function introspectField(
  node: FieldNode,
  type: unknown,
  { elements, schema }: { elements: Elements; schema: GraphQLSchema },
): IntrospectionCost {
  const field = isObjectType(type) ? type.getFields()[node.name.value] : undefined
  const found = new Map<object, number>()
  const nameLength = (node.alias ?? node.name).value.length
  let cost = 0
  for (const [element, times] of elements) {
    const value = field && valueOf(field, element, schema)
    cost += times * (fieldCost.introspection + (nameLength + lengthOf(value)) / fieldCost.introspectionCharacters)
    for (const each of Array.isArray(value) ? value : [value]) {
      if (typeof each === 'object' && each !== null) found.set(each, (found.get(each) ?? 0) + times)
    }
  }
  return { cost, type: field && getNamedType(field.type), elements: found }
}

/** Includes deprecated elements, even if the document does not request them. */
function valueOf(field: GraphQLField<unknown, unknown>, element: object, schema: GraphQLSchema): unknown {
  return field.resolve?.(element, { includeDeprecated: true }, undefined, { schema } as GraphQLResolveInfo)
}

function lengthOf(value: unknown): number {
  if (Array.isArray(value)) return value.length * fieldCost.introspectionCharacters
  return typeof value === 'string' ? value.length : 0
}

function widestType(schema: GraphQLSchema): object | undefined {
  const width = (type: object) => (isObjectType(type) ? Object.keys(type.getFields()).length : 0)
  return Object.values(schema.getTypeMap()).toSorted((left, right) => width(right) - width(left))[0]
}
