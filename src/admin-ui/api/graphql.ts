import { initGraphQLTada } from 'gql.tada'
import type { introspection } from './schema.generated.d.ts'

/**
 * Types the result and variables of a GraphQL document by the schema. Import `ResultOf` and `VariablesOf` from `gql.tada`. `Upload` is
 * `never`, because the UI does not send files over GraphQL. Fields of a fragment belong to the type of the result.
 */
export const graphql = initGraphQLTada<{
  introspection: introspection
  disableMasking: true
  scalars: { DateTime: string; JSON: unknown; Upload: never }
}>()
