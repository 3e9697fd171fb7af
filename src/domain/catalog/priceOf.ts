import { hundredths } from '../../contract/hundredths.ts'
import type { Json } from '../../contract/json.ts'
import { limits } from '../../contract/limits.ts'
import { codePoints } from '../../contract/refusals/plainText.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { PriceUnit } from '../../contract/shapes/family.ts'
import type { MediaField } from '../../contract/shapes/media.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import { ceilHundredths, type Decimal, decimalOf, numberOf, plus, shiftedDown, times, wholeDecimal } from './decimal.ts'
import type { Price, Variant } from './family.ts'

/** The fields of a media input that prices depend on. `id` is the identifier in the request, of a file or a generation. */
export type MeasuredInput = { id: string; field: MediaField; durationSeconds: number | null }

/** The parts of a request that its price depends on. `parameters` as returned by `checkParameters`. */
export type PricedRequest = { parameters: Readonly<Record<string, Json>>; prompt: string | null; inputs: readonly MeasuredInput[] }

/** `credits` is the share of this line. The shares add up exactly to the total. */
export type PriceLine = { unit: PriceUnit; quantity: number; credits: Hundredths }
export type Quote = { total: Hundredths; breakdown: PriceLine[] }

/** The fields of a variant that determine its price. */
export type PricedVariant = Pick<Variant, 'modelId' | 'prices' | 'priceParameters'>

/**
 * Computes the price of a request, for estimate, hold and charge alike. Adds all lines whose `when` is met. The sum is exact, and its
 * total is rounded up to hundredths. The credits of a line are the rounded sum after it minus the rounded sum before it, so that the
 * lines add up to the total. The axes of the request have selected the variant already, so `when` compares parameters only.
 * Refusals: `price_unavailable` when no line applies, a parameter for the quantity of a line is absent, or the sum exceeds the highest
 * allowed ceiling; `file_metadata_missing` when a line counts seconds of an input whose duration was not measured.
 * Contract: docs/contract.md#prices.
 */
export function priceOf(variant: PricedVariant, priced: PricedRequest): Quote {
  const lines = variant.prices.filter((price) => applies(price, priced.parameters))
  if (lines.length === 0) throw unavailable(variant, [...new Set(variant.prices.flatMap((price) => Object.keys(price.when)))])
  let sum: Decimal = wholeDecimal(0)
  let roundedSum = 0n
  const breakdown: PriceLine[] = []
  for (const { unit, rate } of lines) {
    const quantity = quantityOf[unit](variant, priced)
    sum = plus(sum, times(quantity, rate))
    const total = ceilHundredths(sum)
    if (total > BigInt(limits.maxCreditsCeiling) * 100n) throw unavailable(variant, [])
    breakdown.push({ unit, quantity: numberOf(quantity), credits: hundredths(total - roundedSum) })
    roundedSum = total
  }
  return { total: hundredths(roundedSum), breakdown }
}

function applies(price: Price, parameters: PricedRequest['parameters']): boolean {
  return Object.entries(price.when).every(([name, value]) => parameters[name] === value)
}

const quantityOf: Record<PriceUnit, (variant: PricedVariant, priced: PricedRequest) => Decimal> = {
  generation: () => wholeDecimal(1),
  output_second: (variant, priced) => numberParameter(variant, priced, variant.priceParameters.outputSeconds),
  input_second: inputSeconds,
  megapixel: (variant, priced) => {
    const { width, height } = variant.priceParameters
    return shiftedDown(times(numberParameter(variant, priced, width), numberParameter(variant, priced, height)), 6)
  },
  thousand_characters: (variant, { prompt }) => {
    if (!prompt) throw unavailable(variant, ['prompt'])
    return wholeDecimal(Math.ceil(codePoints(prompt) / 1000))
  },
}

function numberParameter(variant: PricedVariant, { parameters }: PricedRequest, name: string): Decimal {
  const value = parameters[name]
  const decimal = typeof value === 'number' ? decimalOf(value) : undefined
  if (!decimal) throw unavailable(variant, [name])
  return decimal
}

/** The sum of the measured durations of all video and audio inputs, in seconds, not rounded. */
function inputSeconds(variant: PricedVariant, { inputs }: PricedRequest): Decimal {
  const timedInputs = inputs.filter(({ field }) => field === 'videoId' || field === 'videoIds' || field === 'audioIds')
  if (timedInputs.length === 0) throw unavailable(variant, ['videoIds', 'audioIds'])
  return timedInputs.reduce((sum, { id, durationSeconds }) => {
    const duration = durationSeconds === null || durationSeconds <= 0 ? undefined : decimalOf(durationSeconds)
    if (!duration) throw new Refusal('file_metadata_missing', { fileId: id, missing: ['durationSeconds'] })
    return plus(sum, duration)
  }, wholeDecimal(0))
}

function unavailable(variant: PricedVariant, missing: string[]): Refusal {
  return new Refusal('price_unavailable', { modelId: variant.modelId, missing })
}
