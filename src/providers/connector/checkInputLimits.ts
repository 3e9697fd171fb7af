import type { Failure } from '../../contract/failures/failures.ts'
import type { MediumLimits } from '../../contract/shapes/media.ts'
import type { JobSpec, ProviderInput } from '../provider.ts'
import { promptTooLong } from './promptTooLong.ts'

const mediumOf = { imageIds: 'images', videoIds: 'videos', audioIds: 'audios', model3dIds: 'models3d' } as const

/**
 * Checks work against the limits of its variant before anything is sent, and returns the model's failure with the numbers. Failures of
 * vendors rarely have numbers. An unknown size or duration of an input is not checked.
 */
export function checkInputLimits(spec: Pick<JobSpec, 'prompt' | 'inputs' | 'limits'>): Failure | undefined {
  const verdicts = spec.inputs.map((input) => checkInput(input, spec.limits[mediumOf[input.field]]))
  return checkPromptLength(spec) ?? verdicts.find((verdict) => verdict !== undefined)
}

function checkPromptLength({ prompt, limits }: Pick<JobSpec, 'prompt' | 'limits'>): Failure | undefined {
  const { maxLength } = limits.prompt
  return maxLength === null || [...(prompt ?? '')].length <= maxLength ? undefined : promptTooLong(prompt, maxLength)
}

function checkInput(input: ProviderInput, limits: MediumLimits): Failure | undefined {
  return checkFileSize(input, limits) ?? (input.field === 'imageIds' ? checkImage(input, limits) : checkTimedMedia(input, limits))
}

function checkFileSize({ sizeBytes: actualBytes }: ProviderInput, { minBytes, maxBytes }: MediumLimits): Failure | undefined {
  if (maxBytes !== undefined && actualBytes > maxBytes) {
    return { code: 'file_size', reason: 'file_too_large', details: { maxBytes, actualBytes } }
  }
  if (minBytes !== undefined && actualBytes < minBytes) {
    return { code: 'file_size', reason: 'file_too_small', details: { minBytes, actualBytes } }
  }
  return undefined
}

function checkImage({ mimeType, width, height }: ProviderInput, limits: MediumLimits): Failure | undefined {
  if (!isTaken(mimeType, limits)) return { code: 'image_format', reason: 'image_unreadable' }
  if (width === null || height === null) return undefined
  const { minWidth, maxWidth, minHeight, maxHeight, minAspectRatio, maxAspectRatio } = limits
  if (isBeyond(width, undefined, maxWidth) || isBeyond(height, undefined, maxHeight)) {
    return { code: 'image_size', reason: 'image_too_large', details: numbers({ maxWidth, maxHeight, width, height }) }
  }
  if (isBeyond(width, minWidth, undefined) || isBeyond(height, minHeight, undefined)) {
    return { code: 'image_size', reason: 'image_too_small', details: numbers({ minWidth, minHeight, width, height }) }
  }
  if (isBeyond(width / height, minAspectRatio, maxAspectRatio)) {
    return { code: 'image_size', reason: 'aspect_ratio_rejected', details: numbers({ minAspectRatio, maxAspectRatio, width, height }) }
  }
  return undefined
}

/** For audio, video and 3D models. They have no failure codes of their own. */
function checkTimedMedia({ mimeType, durationSeconds, width, height }: ProviderInput, limits: MediumLimits): Failure | undefined {
  const isFit =
    isTaken(mimeType, limits) &&
    !isBeyond(durationSeconds, limits.minDurationSeconds, limits.maxDurationSeconds) &&
    !isBeyond(width, limits.minWidth, limits.maxWidth) &&
    !isBeyond(height, limits.minHeight, limits.maxHeight)
  return isFit ? undefined : { code: 'parameter_validation', reason: 'input_rejected_by_model' }
}

function isTaken(mimeType: string, { mimeTypes }: MediumLimits): boolean {
  return mimeTypes.length === 0 || mimeTypes.includes(mimeType)
}

function isBeyond(value: number | null, least: number | undefined, most: number | undefined): boolean {
  return value !== null && (value < (least ?? Number.NEGATIVE_INFINITY) || value > (most ?? Number.POSITIVE_INFINITY))
}

function numbers(values: Record<string, number | undefined>): Record<string, number> {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
