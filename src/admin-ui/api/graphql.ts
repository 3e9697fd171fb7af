import { initGraphQLTada } from 'gql.tada'
import type { introspection } from './schema.generated.d.ts'

/** Writes a document whose result and variables are typed by the schema. `readFragment` and the types are in `gql.tada`. */
export const graphql = initGraphQLTada<{
  introspection: introspection
  scalars: { DateTime: string; JSON: unknown; Upload: never }
}>()
