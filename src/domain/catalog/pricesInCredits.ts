import { invariant } from '../invariant.ts'
import type { Problem } from './checkFamily.ts'
import { type Decimal, decimalOf, numberOf, times } from './decimal.ts'
import type { FamilyFile, FamilySource } from './family.ts'

/** How a price in US dollars becomes credits. Contract: docs/contract.md#prices-in-us-dollars. */
export type Rates = { readonly creditsPerUsd: number; readonly markup: number }

/** As finely as credits are priced; what lies beyond is rounded up, so that no rate makes a price nothing. */
const decimalsMax = 6
const creditsMax = 1_000_000

/** The family with every price in credits; or what is wrong with those that are not. */
export function pricesInCredits(source: FamilySource, rates: Rates): FamilyFile | Problem[] {
  const problems: Problem[] = []
  const variants = source.variants.map((variant, index) => {
    const prices = variant.prices.map(({ usd, credits, ...price }, place) => {
      const converted = credits ?? creditsOf(usd ?? 0, rates)
      const path = `variants[${index}].prices[${place}].usd`
      if (converted > creditsMax) problems.push({ path, reason: `comes to more than ${creditsMax} credits` })
      return { ...price, credits: converted }
    })
    return { ...variant, prices }
  })
  return problems.length > 0 ? problems : { ...source, variants }
}

function creditsOf(usd: number, { creditsPerUsd, markup }: Rates): number {
  return numberOf(roundedUp([usd, creditsPerUsd, markup].map(exactly).reduce(times)))
}

function roundedUp({ digits, scale }: Decimal): Decimal {
  if (scale <= decimalsMax) return { digits, scale }
  const divisor = 10n ** BigInt(scale - decimalsMax)
  return { digits: (digits + divisor - 1n) / divisor, scale: decimalsMax }
}

function exactly(value: number): Decimal {
  const decimal = decimalOf(value)
  invariant(decimal, 'a price and a rate are above zero')
  return decimal
}
