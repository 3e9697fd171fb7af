import { createHash } from 'node:crypto'
import { hundredths } from '../../contract/hundredths.ts'
import { fieldsOfMedium, type Medium } from '../../contract/shapes/media.ts'
import { invariant } from '../invariant.ts'
import { cheapestPrice, pricePoints } from './cheapestPrice.ts'
import type { Problem } from './checkFamily.ts'
import type { SchemaCompiler } from './compileParameters.ts'
import { decimalOf } from './decimal.ts'
import type { Family, FamilyFile, MediumInputs, Price, Variant, VariantFile, VariantInputs } from './family.ts'
import { narrowParameters } from './parametersSchema.ts'

/** Builds the frozen family that requests use, with defaults filled in and schemas compiled. Expects a file that passed every check. */
export function buildFamily(file: FamilyFile, compiler: SchemaCompiler): Family | Problem[] {
  const problems: Problem[] = []
  const variants = file.variants.flatMap((variant, index) => {
    const built = buildVariant(file, variant, compiler)
    if (typeof built === 'object') return [built]
    problems.push({ path: `variants[${index}].prices`, reason: built })
    return []
  })
  if (problems.length > 0) return problems
  return deepFreeze({
    ...file,
    variants,
    tasks: [...new Set(variants.flatMap(({ tasks }) => tasks))],
    creditsFrom: hundredths(Math.min(...variants.map(({ creditsFrom }) => creditsFrom))),
    expectedRunSeconds: {
      typical: Math.min(...variants.map(({ expectedRunSeconds }) => expectedRunSeconds.typical)),
      slow: Math.max(...variants.map(({ expectedRunSeconds }) => expectedRunSeconds.slow)),
    },
    etag: createHash('sha256').update(JSON.stringify(file)).digest('base64url').slice(0, 22),
  })
}

/** Returns a text when the prices cannot be computed. */
function buildVariant({ parameters }: FamilyFile, file: VariantFile, compiler: SchemaCompiler): Variant | string {
  const prices: Price[] = file.prices.map((price) => {
    const rate = decimalOf(price.credits)
    invariant(rate, 'a checked price is a valid decimal')
    return { ...price, rate }
  })
  const points = pricePoints(file, parameters.properties, (name, value) => compiler.property(parameters.properties[name] ?? {})(value))
  if (!points) return 'depend on too many combinations of parameters'
  const creditsFrom = cheapestPrice({ ...file, prices }, points)
  if (creditsFrom === undefined) return 'apply to no combination of parameters'
  return {
    ...file,
    prices,
    creditsFrom,
    inputs: allInputs(file),
    parameters: narrowParameters(parameters, file.parameterNames),
    parameterRules: compiler.variant(parameters, file.parameterNames),
  }
}

function allInputs({ inputs }: VariantFile): VariantInputs {
  return {
    prompt: inputs.prompt ?? { required: false, maxLength: 0 },
    images: inputs.images ?? none('images'),
    videos: inputs.videos ?? none('videos'),
    audios: inputs.audios ?? none('audios'),
    models3d: inputs.models3d ?? none('models3d'),
  }
}

function none(medium: Medium): MediumInputs {
  return { min: 0, max: 0, field: fieldsOfMedium[medium][0], mimeTypes: [] }
}

/** Families are shared by all requests. Compiled functions and sets are not frozen. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || value instanceof Set) return value
  for (const inner of Object.values(value)) deepFreeze(inner)
  return Object.freeze(value)
}
