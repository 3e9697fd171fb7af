import type { Failure } from '../../contract/failures/failures.ts'

/** An input that already lies in a file; for the process that renders, in its own folder. */
export type RenderInput = { path: string; mimeType: string }

/** What an input image must satisfy; sides in pixels, aspect ratios as width by height. */
export type ImageLimits = {
  minWidth: number
  maxWidth: number
  minHeight: number
  maxHeight: number
  maxPixels: number
  minAspectRatio: number
  maxAspectRatio: number
}

type Common = {
  prompt: string
  /** Any text; equal seeds (and all else equal) give equal bytes. */
  seed: string
  /** A few words about the model, drawn small: the family, its level, the caller's seed. */
  label: string
  inputs: RenderInput[]
  imageLimits: ImageLimits
}

export type ImageTask = Common & {
  kind: 'image'
  version: 'draft' | 'standard' | 'pro'
  width: number
  height: number
  format: 'png' | 'jpeg' | 'webp'
}

export type VideoTask = Common & { kind: 'video'; from: 'prompt' | 'image' | 'video'; mode: 'turbo' | 'quality'; durationSeconds: number }

export type AudioTask = Common & { kind: 'audio'; tier: 'basic' | 'studio'; format: 'mp3' | 'wav' | 'm4a' | 'ogg' }

export type Model3dTask = Common & { kind: 'model3d'; format: 'glb' | 'obj' }

/** One piece of work for a render process: plain JSON, decided in full before it is sent. */
export type RenderTask = ImageTask | VideoTask | AudioTask | Model3dTask

/** `refused` is a verdict about the inputs. */
export type RenderResult = { kind: 'rendered' } | { kind: 'refused'; failure: Failure }
