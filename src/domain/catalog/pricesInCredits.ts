import { invariant } from '../invariant.ts'
import type { Problem } from './checkFamily.ts'
import { type Decimal, decimalOf, numberOf, times } from './decimal.ts'
import type { FamilyFile, FamilySource } from './family.ts'

/** Converts US dollars to credits. Contract: docs/contract.md#prices-in-us-dollars. */
export type Rates = { readonly creditsPerUsd: number; readonly markup: number }

/** The precision of credit prices. More decimals are rounded up, so that no rate makes a price zero. */
const decimalsMax = 6
const creditsMax = 1_000_000

/** Returns the family with all prices in credits, or the problems of prices that cannot be converted. */
export function pricesInCredits(source: FamilySource, rates: Rates): FamilyFile | Problem[] {
  const problems: Problem[] = []
  const variants = source.variants.map((variant, index) => {
    const prices = variant.prices.map(({ usd, credits, ...price }, priceIndex) => {
      const converted = credits ?? creditsOf(usd ?? 0, rates)
      const path = `variants[${index}].prices[${priceIndex}].usd`
      if (converted > creditsMax) problems.push({ path, reason: `comes to more than ${creditsMax} credits` })
      return { ...price, credits: converted }
    })
    return { ...variant, prices }
  })
  return problems.length > 0 ? problems : { ...source, variants }
}

function creditsOf(usd: number, { creditsPerUsd, markup }: Rates): number {
  return numberOf(roundedUp([usd, creditsPerUsd, markup].map(toDecimal).reduce(times)))
}

function roundedUp({ digits, scale }: Decimal): Decimal {
  if (scale <= decimalsMax) return { digits, scale }
  const divisor = 10n ** BigInt(scale - decimalsMax)
  return { digits: (digits + divisor - 1n) / divisor, scale: decimalsMax }
}

function toDecimal(value: number): Decimal {
  const decimal = decimalOf(value)
  invariant(decimal, 'a price and a rate are above zero')
  return decimal
}
