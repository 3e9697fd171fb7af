import { GraphQLError, type ValidationRule } from 'graphql'

const introspectionFields = new Set(['__schema', '__type', '__typename'])

/** For callers whom nobody knows: a document may ask for the schema itself and nothing else. */
export const OnlyIntrospectionRule: ValidationRule = (context) => ({
  Field(node) {
    const schema = context.getSchema()
    const parent = context.getParentType()
    const isRoot = parent === schema.getQueryType() || parent === schema.getMutationType()
    if (!isRoot || introspectionFields.has(node.name.value)) return
    context.reportError(
      new GraphQLError('Only the schema may be asked for without signing in.', { nodes: node, extensions: { code: 'unauthorized' } }),
    )
  },
})

/** Text that no database keeps as it came is refused in literals, as it is in variables. */
export const PlainStringsRule: ValidationRule = (context) => ({
  StringValue(node) {
    if (node.value.isWellFormed() && !node.value.includes('\0')) return
    context.reportError(new GraphQLError('Text may hold no NUL character and no half of a surrogate pair.', { nodes: node }))
  },
})
