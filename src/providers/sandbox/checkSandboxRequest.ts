import type { Failure } from '../../contract/failures/failures.ts'
import type { MediumLimits } from '../../contract/shapes/media.ts'
import type { JobSpec, ProviderInput } from '../provider.ts'
import { checkImageSize } from './checkImageSize.ts'
import { type ModelLimits, modelLimits } from './modelLimits.ts'

/** The output of each task, and the fields that need an input, once for each input. */
const tasks: Record<string, { outputType: JobSpec['outputType']; needs?: ProviderInput['field'][] }> = {
  'text-to-image': { outputType: 'image' },
  'image-to-image': { outputType: 'image', needs: ['imageIds'] },
  inpaint: { outputType: 'image', needs: ['imageIds', 'imageIds'] },
  'upscale-image': { outputType: 'image', needs: ['imageIds'] },
  'remove-background': { outputType: 'image', needs: ['imageIds'] },
  'text-to-video': { outputType: 'video' },
  'image-to-video': { outputType: 'video', needs: ['imageIds'] },
  'video-to-video': { outputType: 'video', needs: ['videoIds'] },
  'upscale-video': { outputType: 'video', needs: ['videoIds'] },
  'lip-sync': { outputType: 'video', needs: ['videoIds', 'audioIds'] },
  'text-to-speech': { outputType: 'audio' },
  'text-to-audio': { outputType: 'audio' },
  'text-to-music': { outputType: 'audio' },
  'audio-to-audio': { outputType: 'audio', needs: ['audioIds'] },
  'text-to-3d': { outputType: 'model3d' },
  'image-to-3d': { outputType: 'model3d', needs: ['imageIds'] },
  'retexture-3d': { outputType: 'model3d', needs: ['model3dIds'] },
}

/** Checks a request as the model would, without reading its inputs. The content of the inputs is checked while rendering. */
export function checkSandboxRequest(spec: JobSpec): Failure | undefined {
  const limits = modelLimits(spec)
  return checkTask(spec) ?? checkPrompt(spec, limits) ?? firstFailure(spec.inputs, (input) => checkInput(input, limits))
}

function checkTask(spec: JobSpec): Failure | undefined {
  const task = Object.hasOwn(tasks, spec.task) ? tasks[spec.task] : undefined
  if (task?.outputType !== spec.outputType) return { code: 'feature_limitation', reason: 'not_supported' }
  const missing = [...(task.needs ?? [])]
  for (const { field } of spec.inputs) if (missing.includes(field)) missing.splice(missing.indexOf(field), 1)
  return missing.length > 0 ? { code: 'parameter_validation', reason: 'input_rejected_by_model' } : undefined
}

function checkPrompt(spec: JobSpec, limits: ModelLimits): Failure | undefined {
  const actualLength = [...(spec.prompt ?? '')].length
  const maxLength = limits.promptCharactersMax
  return actualLength > maxLength
    ? { code: 'prompt_validation', reason: 'prompt_too_long', details: { maxLength, actualLength } }
    : undefined
}

function checkInput(input: ProviderInput, limits: ModelLimits): Failure | undefined {
  const bounds = limits.media[input.field]
  const { sizeBytes } = input
  if (sizeBytes > bounds.maxBytes) return fileTooLarge(bounds, sizeBytes)
  if (sizeBytes < (bounds.minBytes ?? 0)) return fileTooSmall(bounds, sizeBytes)
  if (input.field === 'imageIds') return checkImageInput(input, limits)
  return isWithinLimits(input, bounds) ? undefined : { code: 'parameter_validation', reason: 'input_rejected_by_model' }
}

function checkImageInput({ mimeType, width, height }: ProviderInput, { media, image }: ModelLimits): Failure | undefined {
  const isAccepted = media.imageIds.mimeTypes.length === 0 || media.imageIds.mimeTypes.includes(mimeType)
  if (!isAccepted || !readableImageTypes.has(mimeType)) return { code: 'image_format', reason: 'image_unreadable' }
  return width !== null && height !== null ? checkImageSize({ width, height }, image) : undefined
}

/** HEIC is missing, because it cannot be decoded here. */
const readableImageTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'])

/** Audio, video and models: of an accepted type, and within the known limits of size and length. */
function isWithinLimits({ mimeType, width, height, durationSeconds }: ProviderInput, bounds: MediumLimits): boolean {
  if (bounds.mimeTypes.length > 0 && !bounds.mimeTypes.includes(mimeType)) return false
  const ratio = width !== null && height !== null ? width / height : null
  return (
    isBetween(width, bounds.minWidth, bounds.maxWidth) &&
    isBetween(height, bounds.minHeight, bounds.maxHeight) &&
    isBetween(ratio, bounds.minAspectRatio, bounds.maxAspectRatio) &&
    isBetween(durationSeconds, bounds.minDurationSeconds, bounds.maxDurationSeconds)
  )
}

function isBetween(value: number | null, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY): boolean {
  return value === null || (value >= minimum && value <= maximum)
}

export function fileTooLarge({ maxBytes }: { maxBytes: number }, actualBytes: number): Failure {
  return { code: 'file_size', reason: 'file_too_large', details: { maxBytes, actualBytes } }
}

function fileTooSmall({ minBytes = 0, maxBytes }: { minBytes?: number | undefined; maxBytes: number }, actualBytes: number): Failure {
  return { code: 'file_size', reason: 'file_too_small', details: { minBytes, maxBytes, actualBytes } }
}

function firstFailure<Item, Found>(items: Item[], check: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = check(item)
    if (found !== undefined) return found
  }
  return undefined
}
