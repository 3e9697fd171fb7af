import {
  type DocumentNode,
  defaultFieldResolver,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getArgumentValues,
  getNullableType,
  getVariableValues,
  isLeafType,
  isObjectType,
  Kind,
  type OperationTypeNode,
} from 'graphql'
import { invariant } from '../../domain/invariant.ts'
import type { SchemaContext } from './context.ts'

/** Resolves a root field and one leaf of its object. Rejects with what a resolver throws. */
export type ResolveRootField = (variables: Record<string, unknown>, context: SchemaContext) => Promise<unknown>

type Resolving = Pick<GraphQLResolveInfo, 'schema' | 'operation' | 'variableValues'>

/** Nothing here reads them: an execution of GraphQL creates and aborts a controller for each request. */
const unused = { getAbortSignal: () => undefined, getAsyncHelpers: () => invariant(false, 'no resolver tracks work') }

/**
 * Prepares a validated document with one root field and one leaf, such as `{ generation(id: $id) { json } }`, for repeated execution by the
 * resolvers of the schema, which also check the permissions. The general executor of GraphQL takes several times as long for such a
 * document. Returns undefined for a field of an abstract type.
 */
export function resolveRootField(schema: GraphQLSchema, document: DocumentNode): ResolveRootField | undefined {
  const [operation] = document.definitions
  invariant(operation?.kind === Kind.OPERATION_DEFINITION, 'the document has one operation')
  const root = rootOf(schema, operation.operation)
  const rootNode = operation.selectionSet.selections[0] as FieldNode
  const rootField = fieldOf(root, rootNode)
  const type = getNullableType(rootField.type)
  const resolve = rootField.resolve ?? defaultFieldResolver
  if (isLeafType(type)) return resolveLeafRoot({ schema, operation, root, rootField, rootNode })
  if (!isObjectType(type)) return undefined
  const leafNode = rootNode.selectionSet?.selections[0] as FieldNode
  const leafField = fieldOf(type, leafNode)
  const rootPath = { prev: undefined, key: rootField.name, typename: root.name }
  const leafPath = { prev: rootPath, key: leafField.name, typename: type.name }
  const fixed = { schema, operation, fragments: {}, rootValue: undefined, ...unused }
  const rootInfo = {
    ...fixed,
    fieldName: rootField.name,
    fieldNodes: [rootNode],
    returnType: rootField.type,
    parentType: root,
    path: rootPath,
  }
  const leafInfo = {
    ...fixed,
    fieldName: leafField.name,
    fieldNodes: [leafNode],
    returnType: leafField.type,
    parentType: type,
    path: leafPath,
  }
  const resolveLeaf = leafField.resolve ?? defaultFieldResolver

  return async (inputs, context) => {
    const variableValues = coerce({ schema, operation }, inputs)
    const args = getArgumentValues(rootField, rootNode, variableValues)
    const object: unknown = await resolve(undefined, args, context, infoWith(rootInfo, variableValues))
    if (object === null || object === undefined) {
      invariant(type === rootField.type, `${rootField.name} returned nothing, against its type`)
      return undefined
    }
    return await resolveLeaf(object, {}, context, infoWith(leafInfo, variableValues))
  }
}

type LeafRoot = Pick<Resolving, 'schema' | 'operation'> & {
  root: GraphQLObjectType
  rootField: GraphQLField<unknown, unknown>
  rootNode: FieldNode
}

/** A root field that returns a leaf, such as a Boolean. */
function resolveLeafRoot({ schema, operation, root, rootField, rootNode }: LeafRoot): ResolveRootField {
  const { name: fieldName, type: returnType, resolve = defaultFieldResolver } = rootField
  const path = { prev: undefined, key: fieldName, typename: root.name }
  const fixed = { schema, operation, fragments: {}, rootValue: undefined, ...unused }
  const info = { ...fixed, fieldName, fieldNodes: [rootNode], returnType, parentType: root, path }
  return async (inputs, context) => {
    const variableValues = coerce({ schema, operation }, inputs)
    return await resolve(undefined, getArgumentValues(rootField, rootNode, variableValues), context, infoWith(info, variableValues))
  }
}

function rootOf(schema: GraphQLSchema, operation: OperationTypeNode): GraphQLObjectType {
  const root = operation === 'query' ? schema.getQueryType() : schema.getMutationType()
  invariant(root, 'the schema has the root type')
  return root
}

function fieldOf(type: GraphQLObjectType, { name }: FieldNode): GraphQLField<unknown, unknown> {
  const field = type.getFields()[name.value]
  invariant(field, `${type.name} has the field ${name.value}`)
  return field
}

function coerce({ schema, operation }: Pick<Resolving, 'schema' | 'operation'>, inputs: Record<string, unknown>) {
  const { variableValues, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], inputs)
  const [error] = errors ?? []
  if (error) throw error
  invariant(variableValues, 'inputs without an error have values')
  return variableValues
}

function infoWith(info: object, variableValues: Resolving['variableValues']): GraphQLResolveInfo {
  return { ...info, variableValues } as GraphQLResolveInfo
}
