import { createHash } from 'node:crypto'
import type { Json } from '../../contract/json.ts'
import type { JobSpec } from '../provider.ts'
import { modelLimits } from './modelLimits.ts'
import type { EditTask, RenderInput, RenderTask, SoundTask } from './renderTask.ts'

/**
 * Converts a job to a render task. An absent or invalid parameter counts as its default (docs/contract.md#sandbox-parameters).
 * `inputs` are the job's inputs as files, in order.
 */
export function renderTaskOf(spec: JobSpec, inputs: RenderInput[]): RenderTask {
  const { parameters, axes } = spec
  const common = { prompt: spec.prompt ?? '', seed: seedOf(spec), label: labelOf(spec), inputs, imageLimits: modelLimits(spec).image }
  switch (spec.outputType) {
    case 'image':
      if (Object.hasOwn(tools, spec.task)) return { ...common, ...editOf(spec), kind: 'edit' }
      return {
        ...common,
        kind: 'image',
        version: oneOf(axes['version'], ['draft', 'standard', 'pro']),
        width: wholeNumber(parameters['width'], { minimum: 64, maximum: 2048, fallback: 512 }),
        height: wholeNumber(parameters['height'], { minimum: 64, maximum: 2048, fallback: 512 }),
        format: oneOf(parameters['outputFormat'], ['png', 'jpeg', 'webp']),
      }
    case 'video':
      if (spec.task === 'upscale-video') return { ...common, kind: 'videoTool', tool: 'upscale' }
      if (spec.task === 'lip-sync') return { ...common, kind: 'videoTool', tool: 'dub' }
      return {
        ...common,
        kind: 'video',
        from: spec.task === 'video-to-video' ? 'video' : spec.task === 'image-to-video' ? 'image' : 'prompt',
        mode: oneOf(axes['mode'], ['turbo', 'quality']),
        durationSeconds: between(parameters['durationSeconds'], { minimum: 1, maximum: 10, fallback: 2 }),
      }
    case 'audio':
      if (Object.hasOwn(sounds, spec.task)) return { ...common, ...soundOf(spec), kind: 'sound' }
      return {
        ...common,
        kind: 'audio',
        tier: oneOf(axes['tier'], ['basic', 'studio']),
        format: oneOf(parameters['outputFormat'], audioFormats),
      }
    case 'model3d':
      if (spec.task === 'retexture-3d') return { ...common, kind: 'retexture', format: 'glb' }
      return { ...common, kind: 'model3d', format: oneOf(axes['format'], ['glb', 'obj']) }
  }
}

const tools: Record<string, EditTask['tool']> = { inpaint: 'inpaint', 'upscale-image': 'upscale', 'remove-background': 'cutout' }

/** Only formats with transparency fit a result without its background. */
function editOf({ task, parameters: { outputFormat } }: JobSpec): Pick<EditTask, 'tool' | 'format'> {
  const tool = tools[task] ?? 'inpaint'
  return { tool, format: tool === 'cutout' ? oneOf(outputFormat, ['png', 'webp']) : oneOf(outputFormat, ['png', 'jpeg', 'webp']) }
}

const sounds: Record<string, SoundTask['from']> = { 'text-to-audio': 'effect', 'text-to-music': 'music', 'audio-to-audio': 'audio' }

function soundOf({ task, parameters, inputs }: JobSpec): Pick<SoundTask, 'from' | 'format' | 'durationSeconds'> {
  const from = sounds[task] ?? 'effect'
  const own = audioFormats.find((format) => mimeTypes[format] === inputs[0]?.mimeType)
  return {
    from,
    format: from === 'audio' ? (own ?? 'mp3') : oneOf(parameters['outputFormat'], audioFormats),
    durationSeconds: between(parameters['durationSeconds'], { minimum: 1, maximum: 30, fallback: 5 }),
  }
}

const audioFormats = ['mp3', 'wav', 'm4a', 'ogg'] as const

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

/** The MIME type of the rendered file. */
export function mimeTypeOf(task: RenderTask): string {
  return task.kind === 'video' || task.kind === 'videoTool' ? 'video/mp4' : mimeTypes[task.format]
}

/** Without a seed in the request, the idempotency key is the seed, so a repeated render gives the same bytes. */
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

/** The value when it is allowed, otherwise the first allowed value. */
function oneOf<const Allowed extends string>(value: Json | undefined, allowed: readonly [Allowed, ...Allowed[]]): Allowed {
  return allowed.find((candidate) => candidate === value) ?? allowed[0]
}

type Bounds = { minimum: number; maximum: number; fallback: number }

function between(value: Json | undefined, { minimum, maximum, fallback }: Bounds): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.min(maximum, Math.max(minimum, value)) : fallback
}

function wholeNumber(value: Json | undefined, bounds: Bounds): number {
  return Math.round(between(value, bounds))
}
