import { type GraphQLSchema, isIntrospectionType, isObjectType } from 'graphql'
import { invariant } from '../../domain/invariant.ts'

type Guarded = { extensions: { pothosOptions?: { authScopes?: unknown } } }

/**
 * Requires `authScopes` on every field of a root type and on every other object type, so that nothing is open by mistake. Throws with the
 * names of the types and fields without them.
 */
export function requireAuthScopes(schema: GraphQLSchema): void {
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()])
  const open: string[] = []
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue
    if (!roots.has(type)) {
      if (!hasAuthScopes(type)) open.push(type.name)
      continue
    }
    for (const field of Object.values(type.getFields())) if (!hasAuthScopes(field)) open.push(`${type.name}.${field.name}`)
  }
  invariant(open.length === 0, `missing authScopes: ${open.join(', ')}`)
}

function hasAuthScopes({ extensions }: Guarded): boolean {
  return extensions.pothosOptions?.authScopes !== undefined
}
