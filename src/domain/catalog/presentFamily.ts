import { creditsOf } from '../../contract/hundredths.ts'
import type { LockReason, PublicFamily } from '../../contract/shapes/family.ts'
import { media } from '../../contract/shapes/media.ts'
import type { Family, MediumInputs, Price, Variant } from './family.ts'
import type { ParametersSchema } from './parametersSchema.ts'

const shapes = new WeakMap<Family, Omit<PublicFamily, 'available' | 'lockReason'>>()

/** Converts a family to its public shape. `lockReason`: why it is locked for the caller, `undefined` when it is not. */
export function presentFamily(of: Family, lockReason: LockReason | undefined): PublicFamily {
  let shape = shapes.get(of)
  if (!shape) {
    shape = shapeOf(of)
    shapes.set(of, shape)
  }
  return { ...shape, available: lockReason === undefined, ...(lockReason ? { lockReason } : {}) }
}

function shapeOf(of: Family): Omit<PublicFamily, 'available' | 'lockReason'> {
  return {
    id: of.id,
    name: of.name,
    vendor: of.vendor,
    description: of.description,
    tasks: [...of.tasks],
    outputType: of.outputType,
    axes: of.axes.map(({ name, label, values, default: standard }) => ({ name, label, values: [...values], default: standard })),
    variants: of.variants.map(presentVariant),
    parameters: { ...of.parameters, properties: withPromptLocation(of.parameters.properties) },
    creditsFrom: creditsOf(of.creditsFrom),
    expectedRunSeconds: { ...of.expectedRunSeconds },
    updatedAt: of.updatedAt,
  }
}

/**
 * The schema publishes the prompt limit among the parameters, but a request sends the prompt at its top level. The description says so.
 */
function withPromptLocation(properties: ParametersSchema['properties']): ParametersSchema['properties'] {
  const prompt = Object.hasOwn(properties, 'prompt') ? properties['prompt'] : undefined
  const description = prompt?.['description']
  if (typeof description !== 'string' || description.includes('top level')) return { ...properties }
  return { ...properties, prompt: { ...prompt, description: `${description} Sent at the top level of the request.` } }
}

function presentVariant(of: Variant): PublicFamily['variants'][number] {
  const [images, videos, audios, models3d] = media.map((each) => presentMedium(of.inputs[each])) as [Medium, Medium, Medium, Medium]
  return {
    modelId: of.modelId,
    label: of.label,
    tasks: [...of.tasks],
    axes: { ...of.axes },
    inputs: { prompt: { ...of.inputs.prompt }, images, videos, audios, models3d },
    parameterNames: [...of.parameterNames],
    parameters: { ...of.parameters },
    prices: of.prices.map(presentPrice),
    creditsFrom: creditsOf(of.creditsFrom),
    expectedRunSeconds: { ...of.expectedRunSeconds },
  }
}

type Medium = PublicFamily['variants'][number]['inputs']['images']

function presentMedium({ mimeTypes, ...limits }: MediumInputs): Medium {
  return { ...limits, mimeTypes: [...mimeTypes] }
}

function presentPrice({ unit, credits: each, when }: Price) {
  return { unit, credits: each, when: { ...when } }
}
