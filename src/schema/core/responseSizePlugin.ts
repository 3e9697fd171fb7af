import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core'
import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql'
import type { ResponseMeter, SchemaContext } from './context.ts'

declare global {
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      responseSize: ResponseSizePlugin<Types>
    }
  }
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>

/** The quotes, colon and comma of a member. */
const memberCharacters = 4
/** The estimate for an error with its message, path, locations and details. */
const errorCharacters = 500
/** Lists up to this length are completed without a pause. */
const syncItemsMax = 10

/**
 * Measures the response while its fields are resolved, so that a too long response is stopped early, and lets other work run between the
 * items of long lists. It must be the first plugin, because it measures the values that the other plugins return.
 */
class ResponseSizePlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(resolver: Resolver<Types>, field: PothosOutputFieldConfig<Types>): Resolver<Types> {
    const { type } = field
    const { kind } = type.kind === 'List' ? type.type : type
    const measure = kind === 'Scalar' || kind === 'Enum' ? measureLeaf : yieldBetweenObjects
    return (parent, args, request, info) => {
      const { answer }: Partial<SchemaContext> = request
      return answer ? measured(answer, info, () => resolver(parent, args, request, info), measure) : resolver(parent, args, request, info)
    }
  }
}

type Measure = (answer: ResponseMeter, value: unknown) => unknown

function measured(answer: ResponseMeter, { path }: GraphQLResolveInfo, resolve: () => unknown, measure: Measure): unknown {
  answer.add(String(path.key).length + memberCharacters)
  try {
    const value = resolve()
    return isPromise(value) ? measureAsync(answer, value, measure) : measure(answer, value)
  } catch (error) {
    answer.add(errorCharacters)
    throw error
  }
}

async function measureAsync(answer: ResponseMeter, value: PromiseLike<unknown>, measure: Measure): Promise<unknown> {
  try {
    const resolved = await value
    if (measure === yieldBetweenObjects) await answer.waitForSlice()
    return measure(answer, resolved)
  } catch (error) {
    answer.add(errorCharacters)
    throw error
  }
}

function measureLeaf(answer: ResponseMeter, value: unknown): unknown {
  answer.add(jsonLength(value))
  return value
}

/** Estimates the characters of a value as JSON text, without escapes. Cheap, because strings are not scanned. */
function jsonLength(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (value instanceof Date) return 26
  if (typeof value !== 'object' || value === null) return 6
  let length = 2
  if (Array.isArray(value)) for (const item of value) length += jsonLength(item) + 1
  else for (const [name, member] of Object.entries(value)) length += name.length + 4 + jsonLength(member)
  return length
}

/** Objects are not measured here, because their fields are measured one by one. */
function yieldBetweenObjects(answer: ResponseMeter, value: unknown): unknown {
  return Array.isArray(value) && value.length > syncItemsMax ? yieldBetweenItems(answer, value) : value
}

/** Yields the items unchanged. Promises are awaited concurrently; a generator would await each before the next. */
function yieldBetweenItems(answer: ResponseMeter, items: readonly unknown[]): AsyncIterable<unknown> {
  return {
    [Symbol.asyncIterator]() {
      let index = 0
      return {
        async next() {
          await answer.waitForSlice()
          index += 1
          return index > items.length ? { done: true, value: undefined } : { done: false, value: items[index - 1] }
        },
      }
    },
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}

/** The name of the plugin, for the builder. */
export const responseSizePlugin = 'responseSize'
SchemaBuilder.registerPlugin(responseSizePlugin, ResponseSizePlugin)
