import { type ASTNode, GraphQLError, OperationTypeNode, type ValidationRule } from 'graphql'
import { limits } from '../contract/limits.ts'

const introspectionFields = new Set(['__schema', '__type', '__typename'])

/** For callers whom nobody knows: a document may ask for the schema itself and nothing else. */
export const OnlyIntrospectionRule: ValidationRule = (context) => ({
  Field(node) {
    const schema = context.getSchema()
    const parent = context.getParentType()
    const roots: unknown[] = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
    if (!roots.includes(parent) || introspectionFields.has(node.name.value)) return
    context.reportError(
      new GraphQLError('Only the schema may be asked for without signing in.', { nodes: node, extensions: { code: 'unauthorized' } }),
    )
  },
})

/** For people: they use the interface, and need no map of it. */
export const NoIntrospectionRule: ValidationRule = (context) => ({
  Field(node) {
    if (node.name.value !== '__schema' && node.name.value !== '__type') return
    const extensions = { code: 'access_denied' }
    context.reportError(new GraphQLError('The schema may be asked for with the service token alone.', { nodes: node, extensions }))
  },
})

/** Whoever asks here gets one document; what goes on telling is a stream of REST. */
export const NoSubscriptionRule: ValidationRule = (context) => ({
  OperationDefinition(node) {
    if (node.operation !== OperationTypeNode.SUBSCRIPTION) return
    context.reportError(new GraphQLError('Subscriptions are not served here: GET /generations/{id}/events follows work.', { nodes: node }))
  },
})

/** Text that no database keeps as it came is refused in literals, as it is in variables. */
export const PlainStringsRule: ValidationRule = (context) => ({
  StringValue(node) {
    if (node.value.isWellFormed() && !node.value.includes('\0')) return
    context.reportError(new GraphQLError('Text may hold no NUL character and no half of a surrogate pair.', { nodes: node }))
  },
})

/** Values nest in literals no deeper than they may in JSON. */
export const ShallowLiteralsRule: ValidationRule = (context) => {
  let depth = 0
  const nested = {
    enter: (node: ASTNode) => {
      depth += 1
      if (depth === limits.jsonDepth + 1)
        context.reportError(new GraphQLError(`Values may be nested ${limits.jsonDepth} deep at most.`, { nodes: node }))
    },
    leave: () => {
      depth -= 1
    },
  }
  return { ListValue: nested, ObjectValue: nested }
}
