import SchemaBuilder, { type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core'
import { PothosZodPlugin } from '@pothos/plugin-zod'
import type { GraphQLFieldResolver } from 'graphql'
import type { SchemaContext } from './context.ts'

declare global {
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      validateOnce: ValidateOncePlugin<Types>
    }
  }
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>

/** plugin-zod, but without a second validation for callers that have validated the arguments with the same schemas. */
class ValidateOncePlugin<Types extends SchemaTypes> extends PothosZodPlugin<Types> {
  override wrapResolve(resolver: Resolver<Types>, field: PothosOutputFieldConfig<Types>): Resolver<Types> {
    const checking = super.wrapResolve(resolver, field)
    if (checking === resolver) return resolver
    return (parent, args, request, info) => {
      const { argumentsValidated = false }: Partial<SchemaContext> = request
      return (argumentsValidated ? resolver : checking)(parent, args, request, info)
    }
  }
}

/** The name of the plugin, for the builder. Its options are under `zod`. */
export const validateOncePlugin = 'validateOnce'
SchemaBuilder.registerPlugin(validateOncePlugin, ValidateOncePlugin)
