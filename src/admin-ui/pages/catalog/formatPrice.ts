import type { Price } from './catalogQueries.ts'

/** A rate has up to six decimals, an amount has two. */
const figures = new Intl.NumberFormat(undefined, { maximumFractionDigits: 6 })

const perUnit: Record<string, string> = {
  generation: 'per generation',
  output_second: 'per output second',
  input_second: 'per input second',
  megapixel: 'per megapixel',
  thousand_characters: 'per 1,000 characters begun',
}

/** Formats a price line: `2 credits per output second when quality is high`. */
export function formatPrice({ unit, credits, when }: Price): string {
  const conditions = Object.entries(when).map(([name, value]) => `${name} is ${String(value)}`)
  const amount = `${figures.format(credits)} ${credits === 1 ? 'credit' : 'credits'} ${perUnit[unit] ?? `per ${unit}`}`
  return conditions.length === 0 ? amount : `${amount} when ${conditions.join(' and ')}`
}

const counted: Record<string, readonly [string, string]> = {
  generation: ['generation', 'generations'],
  output_second: ['output second', 'output seconds'],
  input_second: ['input second', 'input seconds'],
  megapixel: ['megapixel', 'megapixels'],
  thousand_characters: ['thousand characters begun', 'thousand characters begun'],
}

/** Formats the quantity of an estimate line: `4 output seconds`. */
export function formatQuantity({ unit, quantity }: { unit: string; quantity: number }): string {
  const [one, many] = counted[unit] ?? [unit, unit]
  return `${figures.format(quantity)} ${quantity === 1 ? one : many}`
}
