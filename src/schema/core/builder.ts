import SchemaBuilder from '@pothos/core'
import DataloaderPlugin from '@pothos/plugin-dataloader'
import RelayPlugin from '@pothos/plugin-relay'
import ScopeAuthPlugin from '@pothos/plugin-scope-auth'
import { z } from 'zod'
import { refusalOfZod } from '../../contract/refusals/issues.ts'
import type { Refusal } from '../../contract/refusals/refusals.ts'
import type { IncomingContent } from '../../domain/incomingContent.ts'
import type { SchemaContext } from './context.ts'
import { responseSizePlugin } from './responseSizePlugin.ts'
import { type AuthScopes, authScopes, unauthorized } from './scopes.ts'
import { validateOncePlugin } from './validateOncePlugin.ts'

/**
 * The builder of the schema; the types are defined in their own files. `schema.ts` throws while a root field or an object type has no
 * `authScopes`, so that nothing is open by default.
 */
export const builder = new SchemaBuilder<{
  Context: SchemaContext
  AuthScopes: AuthScopes
  DefaultFieldNullability: false
  DefaultEdgesNullability: false
  DefaultNodeNullability: false
  Scalars: {
    ID: { Input: string; Output: string }
    DateTime: { Input: Date; Output: Date | string }
    JSON: { Input: unknown; Output: unknown }
    Upload: { Input: IncomingContent; Output: never }
  }
}>({
  plugins: [responseSizePlugin, ScopeAuthPlugin, validateOncePlugin, RelayPlugin, DataloaderPlugin],
  defaultFieldNullability: false,
  scopeAuth: { authScopes, authorizeOnSubscribe: true, unauthorizedError: (_parent, context) => unauthorized(context) },
  zod: { validationError: (error, args) => refusalOfInput(error, args) },
  relay: {
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    nodesOnConnection: true,
    edgesFieldOptions: { nullable: false },
    nodeFieldOptions: { nullable: false },
    pageInfoTypeOptions: { authScopes: { caller: true } },
    defaultConnectionTypeOptions: { authScopes: { caller: true } },
    defaultEdgeTypeOptions: { authScopes: { caller: true } },
  },
})

builder.queryType({})
builder.mutationType({})

/** The refusal of invalid arguments. Paths below `input` omit that step, so that they equal those of REST. */
function refusalOfInput(error: z.ZodError, args: Record<string, unknown>): Refusal {
  const isNested = error.issues.every(({ path }) => path[0] === 'input')
  if (!isNested) return refusalOfZod(error, args, 'body')
  const issues = error.issues.map((issue) => ({ ...issue, path: issue.path.slice(1) }))
  return refusalOfZod(new z.ZodError(issues), args['input'], 'body')
}
