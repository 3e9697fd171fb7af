import { hundredths } from '../../contract/hundredths.ts'
import type { Json } from '../../contract/json.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import type { VariantFile } from './family.ts'
import type { ParametersSchema } from './parametersSchema.ts'
import { type PricedRequest, type PricedVariant, priceOf } from './priceOf.ts'

/** Price conditions with more combinations cannot be reviewed by a person. */
const combinationsMax = 10_000

/** For each parameter that a price depends on: the values at which the price can be lowest or change. */
export type PricePoints = ReadonlyMap<string, readonly Json[]>

/**
 * The cheapest possible price of a request to the variant; `undefined` when no combination has a price. Counts one second of input and
 * one character of prompt. Contract: docs/contract.md#family-object.
 */
export function cheapestPrice(variant: PricedVariant, points: PricePoints): Hundredths | undefined {
  let cheapest: number | undefined
  for (const parameters of combinations([...points])) {
    const price = priceIfAny(variant, parameters)
    if (price !== undefined) cheapest = Math.min(price, cheapest ?? price)
  }
  return cheapest === undefined ? undefined : hundredths(cheapest)
}

/** The parameters that prices depend on, in their conditions or their units. */
export function pricingParameters({ prices, priceParameters }: Pick<VariantFile, 'prices' | 'priceParameters'>): string[] {
  const names = new Set(prices.flatMap((price) => Object.keys(price.when)))
  if (prices.some(({ unit }) => unit === 'output_second')) names.add(priceParameters.outputSeconds)
  if (prices.some(({ unit }) => unit === 'megapixel')) names.add(priceParameters.width).add(priceParameters.height)
  return [...names]
}

/** Returns `undefined` when there are too many combinations. `fits` checks a value against the schema of a parameter. */
export function pricePoints(
  variant: Pick<VariantFile, 'prices' | 'priceParameters'>,
  properties: ParametersSchema['properties'],
  fits: (name: string, value: Json) => boolean,
): PricePoints | undefined {
  const points = pricingParameters(variant).map((name) => {
    const conditions = variant.prices.flatMap(({ when }) => (Object.hasOwn(when, name) ? [when[name] as Json] : []))
    const values = [...new Set([...schemaPoints(properties[name] ?? {}), ...conditions])].filter((value) => fits(name, value))
    return [name, values] as const
  })
  return points.reduce((product, [, values]) => product * values.length, 1) > combinationsMax ? undefined : new Map(points)
}

function schemaPoints(schema: Readonly<Record<string, Json>>): Json[] {
  if (Array.isArray(schema['enum'])) return schema['enum']
  if (schema['const'] !== undefined) return [schema['const']]
  if (schema['type'] === 'boolean') return [false, true]
  const { default: usual, minimum, multipleOf = 1 } = schema as { default?: Json; minimum?: Json; multipleOf?: Json }
  const least = typeof minimum === 'number' && typeof multipleOf === 'number' ? [minimum, Math.ceil(minimum / multipleOf) * multipleOf] : []
  return usual === undefined ? least : [usual, ...least]
}

function* combinations(points: (readonly [string, readonly Json[]])[]): Generator<Record<string, Json>> {
  const [first, ...rest] = points
  if (!first) return yield {}
  for (const value of first[1]) for (const others of combinations(rest)) yield { [first[0]]: value, ...others }
}

function priceIfAny(variant: PricedVariant, parameters: Record<string, Json>): number | undefined {
  const sample: PricedRequest = { parameters, prompt: 'a', inputs: [{ id: 'sample', field: 'videoIds', durationSeconds: 1 }] }
  try {
    return priceOf(variant, sample).total
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
