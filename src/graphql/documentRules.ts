import { type ASTNode, GraphQLError, OperationTypeNode, type ValidationRule } from 'graphql'
import { limits } from '../contract/limits.ts'

const introspectionFields = new Set(['__schema', '__type', '__typename'])

/** For unauthenticated callers: allows only introspection. */
export const OnlyIntrospectionRule: ValidationRule = (context) => ({
  Field(node) {
    const schema = context.getSchema()
    const parent = context.getParentType()
    const roots: unknown[] = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
    if (!roots.includes(parent) || introspectionFields.has(node.name.value)) return
    context.reportError(
      new GraphQLError('Sign in first. Without authentication, only introspection is allowed.', {
        nodes: node,
        extensions: { code: 'unauthorized' },
      }),
    )
  },
})

/** For people, who do not need the schema: refuses introspection. */
export const NoIntrospectionRule: ValidationRule = (context) => ({
  Field(node) {
    if (node.name.value !== '__schema' && node.name.value !== '__type') return
    const extensions = { code: 'access_denied', details: { cause: 'role' } }
    context.reportError(new GraphQLError('Introspection requires the service token.', { nodes: node, extensions }))
  },
})

/** Refuses subscriptions: REST serves them as server-sent events. */
export const NoSubscriptionRule: ValidationRule = (context) => ({
  OperationDefinition(node) {
    if (node.operation !== OperationTypeNode.SUBSCRIPTION) return
    context.reportError(
      new GraphQLError('Subscriptions are not supported. Use GET /generations/{id}/events to follow a generation.', { nodes: node }),
    )
  },
})

/** Refuses text that PostgreSQL cannot store in literals, as in variables. */
export const PlainStringsRule: ValidationRule = (context) => ({
  StringValue(node) {
    if (node.value.isWellFormed() && !node.value.includes('\0')) return
    context.reportError(new GraphQLError('Text must not contain a NUL character or a lone surrogate.', { nodes: node }))
  },
})

/** Limits the nesting of literals like that of JSON. */
export const ShallowLiteralsRule: ValidationRule = (context) => {
  let depth = 0
  const nested = {
    enter: (node: ASTNode) => {
      depth += 1
      if (depth === limits.jsonDepth + 1)
        context.reportError(new GraphQLError(`Values may have at most ${limits.jsonDepth} levels of nesting.`, { nodes: node }))
    },
    leave: () => {
      depth -= 1
    },
  }
  return { ListValue: nested, ObjectValue: nested }
}
