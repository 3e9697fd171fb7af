import { createHash } from 'node:crypto'
import type { Json } from '../../contract/json.ts'
import type { JobSpec } from '../provider.ts'
import { modelLimits } from './modelLimits.ts'
import type { RenderInput, RenderTask } from './renderTask.ts'

/**
 * Turns a job into the order for a render process. Every parameter is taken with care: what is absent or unfit counts as its
 * default (docs/contract.md#sandbox-parameters). `inputs` are the job's inputs, in their order, as files.
 */
export function renderTaskOf(spec: JobSpec, inputs: RenderInput[]): RenderTask {
  const { parameters, axes } = spec
  const common = { prompt: spec.prompt ?? '', seed: seedOf(spec), label: labelOf(spec), inputs, imageLimits: modelLimits(spec).image }
  switch (spec.outputType) {
    case 'image':
      return {
        ...common,
        kind: 'image',
        version: oneOf(axes['version'], ['draft', 'standard', 'pro']),
        width: wholeNumber(parameters['width'], { least: 64, most: 2048, otherwise: 512 }),
        height: wholeNumber(parameters['height'], { least: 64, most: 2048, otherwise: 512 }),
        format: oneOf(parameters['outputFormat'], ['png', 'jpeg', 'webp']),
      }
    case 'video':
      return {
        ...common,
        kind: 'video',
        from: spec.task === 'video-to-video' ? 'video' : spec.task === 'image-to-video' ? 'image' : 'prompt',
        mode: oneOf(axes['mode'], ['turbo', 'quality']),
        durationSeconds: between(parameters['durationSeconds'], { least: 1, most: 10, otherwise: 2 }),
      }
    case 'audio':
      return {
        ...common,
        kind: 'audio',
        tier: oneOf(axes['tier'], ['basic', 'studio']),
        format: oneOf(parameters['outputFormat'], ['mp3', 'wav', 'm4a', 'ogg']),
      }
    case 'model3d':
      return { ...common, kind: 'model3d', format: oneOf(axes['format'], ['glb', 'obj']) }
  }
}

const mimeTypes = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  glb: 'model/gltf-binary',
  obj: 'model/obj',
} as const

/** The type of the bytes that the order gives. */
export function mimeTypeOf(order: RenderTask): string {
  return order.kind === 'video' ? 'video/mp4' : mimeTypes[order.format]
}

/** With no seed in the request, the attempt's own key serves: a repeated render of it gives the same bytes. */
function seedOf(spec: JobSpec): string {
  const seed = spec.parameters['seed']
  if (typeof seed === 'number' || (typeof seed === 'string' && seed !== '')) return `seed ${seed}`
  return `key ${createHash('sha256').update(spec.idempotencyKey).digest('hex').slice(0, 16)}`
}

function labelOf(spec: JobSpec): string {
  const seed = spec.parameters['seed']
  const parts = [spec.familyId, ...Object.values(spec.axes), ...(typeof seed === 'number' ? [`seed ${seed}`] : [])]
  return parts.join(' · ').slice(0, 80)
}

/** The value when it is allowed, else the first of the allowed ones. */
function oneOf<const Allowed extends string>(value: Json | undefined, allowed: readonly [Allowed, ...Allowed[]]): Allowed {
  return allowed.find((candidate) => candidate === value) ?? allowed[0]
}

type Bounds = { least: number; most: number; otherwise: number }

function between(value: Json | undefined, { least, most, otherwise }: Bounds): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : otherwise
}

function wholeNumber(value: Json | undefined, bounds: Bounds): number {
  return Math.round(between(value, bounds))
}
