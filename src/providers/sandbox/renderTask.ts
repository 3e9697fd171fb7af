import type { Failure } from '../../contract/failures/failures.ts'

/** An input as a file. In the render process the path is relative to its own folder. */
export type RenderInput = { path: string; mimeType: string }

/** The limits of an input image: sides in pixels, aspect ratios as width by height. */
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
  /** Any text. Equal seeds with equal other fields give equal bytes. */
  seed: string
  /** A short text about the model, drawn small: the family, its axis values, the caller's seed. */
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

/** `inpaint` takes an image and a mask, the others one image. `cutout` makes the background transparent. */
export type EditTask = Common & { kind: 'edit'; tool: 'inpaint' | 'upscale' | 'cutout'; format: ImageTask['format'] }

export type VideoTask = Common & { kind: 'video'; from: 'prompt' | 'image' | 'video'; mode: 'turbo' | 'quality'; durationSeconds: number }

/** `upscale` redraws the input video at twice its size. `dub` takes a video and an audio file. */
export type VideoToolTask = Common & { kind: 'videoTool'; tool: 'upscale' | 'dub' }

export type AudioTask = Common & { kind: 'audio'; tier: 'basic' | 'studio'; format: 'mp3' | 'wav' | 'm4a' | 'ogg' }

/** `from: 'audio'` plays the input twice, in its own format. */
export type SoundTask = Common & {
  kind: 'sound'
  from: 'effect' | 'music' | 'audio'
  durationSeconds: number
  format: AudioTask['format']
}

export type Model3dTask = Common & { kind: 'model3d'; format: 'glb' | 'obj' }

/** The inputs are a GLB file, and at most one image. */
export type RetextureTask = Common & { kind: 'retexture'; format: 'glb' }

/** One task of a render process, as plain JSON with all values resolved. */
export type RenderTask = ImageTask | EditTask | VideoTask | VideoToolTask | AudioTask | SoundTask | Model3dTask | RetextureTask

/** `refused`: an input is unusable. */
export type RenderResult = { kind: 'rendered' } | { kind: 'refused'; failure: Failure }
