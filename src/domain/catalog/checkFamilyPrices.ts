import type { PriceUnit } from '../../contract/shapes/family.ts'
import { pricingParameters } from './cheapestPrice.ts'
import type { Problem } from './checkFamily.ts'
import type { SchemaCompiler } from './compileParameters.ts'
import { decimalOf } from './decimal.ts'
import type { FamilyFile, VariantFile } from './family.ts'

const decimalsMax = 6

/** Checks prices against parameters and inputs, so that every accepted request has a price. */
export function checkFamilyPrices(family: FamilyFile, compiler: SchemaCompiler): Problem[] {
  return family.variants.flatMap((variant, index) => {
    const path = `variants[${index}].prices`
    return [
      ...variant.prices.flatMap((price, priceIndex) => checkPrice(family, variant, price, `${path}[${priceIndex}]`, compiler)),
      ...pricingParameters(variant).flatMap((name) => checkAlwaysSet(family, variant, name, path)),
      ...countedParameters(variant).flatMap((name) => checkCountable(family, name, path)),
    ]
  })
}

function checkPrice(
  family: FamilyFile,
  variant: VariantFile,
  price: VariantFile['prices'][number],
  path: string,
  compiler: SchemaCompiler,
): Problem[] {
  const problems: Problem[] = []
  if ((decimalOf(price.credits)?.scale ?? 0) > decimalsMax)
    problems.push({ path: `${path}.credits`, reason: `has more than ${decimalsMax} decimals` })
  for (const [name, value] of Object.entries(price.when)) {
    const schema = family.parameters.properties[name]
    if (schema && variant.parameterNames.includes(name) && !compiler.property(schema)(value)) {
      problems.push({ path: `${path}.when.${name}`, reason: `can never be ${JSON.stringify(value)}` })
    }
  }
  const missing = missingInput[price.unit]?.(variant)
  return missing ? [...problems, { path: `${path}.unit`, reason: missing }] : problems
}

const missingInput: Partial<Record<PriceUnit, (variant: VariantFile) => string | undefined>> = {
  input_second: ({ inputs }) =>
    (inputs.videos?.min ?? 0) > 0 || (inputs.audios?.min ?? 0) > 0
      ? undefined
      : 'counts seconds of video or audio, which the variant does not require',
  thousand_characters: ({ inputs }) =>
    inputs.prompt?.required ? undefined : 'counts characters of the prompt, which the variant does not require',
}

/** A price must not depend on a parameter that a request may omit. */
function checkAlwaysSet(family: FamilyFile, variant: VariantFile, name: string, path: string): Problem[] {
  if (!variant.parameterNames.includes(name)) return [{ path, reason: `depend on ${name}, which is not in parameterNames` }]
  const isAlwaysSet = family.parameters.required?.includes(name) || family.parameters.properties[name]?.['default'] !== undefined
  return isAlwaysSet ? [] : [{ path, reason: `depend on ${name}, which has no default and is not required` }]
}

function countedParameters(variant: VariantFile): string[] {
  return pricingParameters({ ...variant, prices: variant.prices.map((price) => ({ ...price, when: {} })) })
}

/** Checks that a counted parameter is a number and always above zero. */
function checkCountable(family: FamilyFile, name: string, path: string): Problem[] {
  const schema = family.parameters.properties[name] ?? {}
  const values = Array.isArray(schema['enum']) ? schema['enum'] : [schema['const'] ?? schema['minimum']]
  const countable =
    (schema['type'] === 'number' || schema['type'] === 'integer') && values.every((value) => typeof value === 'number' && value > 0)
  return countable ? [] : [{ path, reason: `count ${name}, which is not a number with a minimum or an enum above 0` }]
}
