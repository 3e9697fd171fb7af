import type { PublicFamily } from '../contract/shapes/family.ts'
import { formatCredits } from './formatCredits.ts'

type Variant = PublicFamily['variants'][number]

/** A family in one line, for a choice. */
export function familyLine({ id, name, description, tasks, creditsFrom, available, lockReason }: PublicFamily): string {
  const locked = available ? '' : ` NOT AVAILABLE: ${lockReason}.`
  return `${id} (${name}): ${tasks.join(', ')}; from ${formatCredits(creditsFrom)}.${locked} ${description}`
}

/** A short text with everything that a model needs to write a request for a family. */
export function familyText(family: PublicFamily): string {
  const { prompt, ...parameters } = (family.parameters['properties'] ?? {}) as Record<string, { description?: string } | undefined>
  const axes = family.axes.map(({ name, values, default: usual }) => `axis ${name}: ${values.join(' | ')} (default ${usual})`)
  return [
    familyLine(family),
    ...axes,
    ...family.variants.map(variantLine),
    ...(prompt ? [`prompt, beside parameters and not in it: ${prompt.description}`] : []),
    `parameters (JSON Schema): ${JSON.stringify(parameters)}`,
    'Next: estimate_generation with this familyId, then start_generation with the quoteId that it gives.',
  ].join('\n')
}

function variantLine({ modelId, tasks, axes, inputs, prices, expectedRunSeconds }: Variant): string {
  const media = [inputs.images, inputs.videos, inputs.audios, inputs.models3d]
    .filter(({ max }) => max > 0)
    .map(({ field, min, max }) => `${field} ${min} to ${max}`)
  const prompt = inputs.prompt.required ? 'prompt required' : 'prompt optional'
  const cost = prices.map(
    ({ unit, credits, when }) =>
      `${formatCredits(credits)} per ${unit}${Object.keys(when).length > 0 ? ` when ${JSON.stringify(when)}` : ''}`,
  )
  const takes = [prompt, ...media].join(', ')
  return `- variant ${modelId}: ${tasks.join(', ')} ${JSON.stringify(axes)}; takes ${takes}; costs ${cost.join(', ')}; runs about ${expectedRunSeconds.typical} s`
}
