import type { Failure } from '../../domain/failures.ts'
import type { JobSpec, ProviderInput } from '../provider.ts'
import { imageVerdict } from './imageVerdict.ts'
import { type ModelLimits, modelLimits } from './modelLimits.ts'

/** The media that each task needs: request field and least count. Other tasks are beyond the sandbox. */
const tasks: Record<string, { outputType: JobSpec['outputType']; needs?: ProviderInput['field'] }> = {
  'text-to-image': { outputType: 'image' },
  'image-to-image': { outputType: 'image', needs: 'imageIds' },
  'text-to-video': { outputType: 'video' },
  'image-to-video': { outputType: 'video', needs: 'imageIds' },
  'video-to-video': { outputType: 'video', needs: 'videoIds' },
  'text-to-speech': { outputType: 'audio' },
  'text-to-3d': { outputType: 'model3d' },
  'image-to-3d': { outputType: 'model3d', needs: 'imageIds' },
}

/**
 * What the model would say at once, from what is known of the request without reading a byte of its inputs.
 * What only the bytes can tell is decided while rendering.
 */
export function requestVerdict(spec: JobSpec): Failure | undefined {
  const limits = modelLimits(spec)
  return taskVerdict(spec) ?? promptVerdict(spec, limits) ?? firstOf(spec.inputs, (input) => inputVerdict(input, limits))
}

function taskVerdict(spec: JobSpec): Failure | undefined {
  const task = Object.hasOwn(tasks, spec.task) ? tasks[spec.task] : undefined
  if (task?.outputType !== spec.outputType) return { code: 'feature_limitation', reason: 'not_supported' }
  if (task.needs && !spec.inputs.some((input) => input.field === task.needs)) {
    return { code: 'parameter_validation', reason: 'input_rejected_by_model' }
  }
  return undefined
}

function promptVerdict(spec: JobSpec, limits: ModelLimits): Failure | undefined {
  const actualLength = [...(spec.prompt ?? '')].length
  const maxLength = limits.promptCharactersMax
  return actualLength > maxLength
    ? { code: 'prompt_validation', reason: 'prompt_too_long', details: { maxLength, actualLength } }
    : undefined
}

function inputVerdict(input: ProviderInput, limits: ModelLimits): Failure | undefined {
  if (input.sizeBytes > limits.inputBytesMax) return fileTooLarge(limits, input.sizeBytes)
  if (input.field !== 'imageIds') return undefined
  if (!readableImageTypes.has(input.mimeType)) return { code: 'image_format', reason: 'image_unreadable' }
  return input.width !== null && input.height !== null
    ? imageVerdict({ width: input.width, height: input.height }, limits.image)
    : undefined
}

/** HEIC is no part of it: its size can be read, its picture cannot be decoded here. */
const readableImageTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'])

export function fileTooLarge(limits: ModelLimits, actualBytes: number): Failure {
  return { code: 'file_size', reason: 'file_too_large', details: { maxBytes: limits.inputBytesMax, actualBytes } }
}

function firstOf<Item, Found>(items: Item[], judge: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = judge(item)
    if (found !== undefined) return found
  }
  return undefined
}
