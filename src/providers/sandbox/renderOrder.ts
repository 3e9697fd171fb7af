import type { Failure } from '../../contract/failures.ts'

/** An input that already lies in a file of the render's own folder. */
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

export type ImageOrder = Common & {
  kind: 'image'
  version: 'draft' | 'standard' | 'pro'
  width: number
  height: number
  format: 'png' | 'jpeg' | 'webp'
}

export type VideoOrder = Common & { kind: 'video'; from: 'prompt' | 'image' | 'video'; mode: 'turbo' | 'quality'; durationSeconds: number }

export type AudioOrder = Common & { kind: 'audio'; tier: 'basic' | 'studio'; format: 'mp3' | 'wav' | 'm4a' | 'ogg' }

export type Model3dOrder = Common & { kind: 'model3d'; format: 'glb' | 'obj' }

/** One piece of work for a render process: plain JSON, decided in full before it is sent. */
export type RenderOrder = ImageOrder | VideoOrder | AudioOrder | Model3dOrder

/** Parent to child. The child writes the result to `resultPath` and may use `scratchFolder` as it likes. */
export type RenderRequest = { id: number; order: RenderOrder; resultPath: string; scratchFolder: string }

/** What a render took: the process's own CPU time, and the most memory that it has held since its start. */
export type RenderUsage = { cpuMs: number; peakRssBytes: number }

/** Child to parent. `refused` is a verdict about the inputs; `broken` is a fault of ours. */
export type RenderReply =
  | { kind: 'ready' }
  | { kind: 'rendered'; id: number; usage: RenderUsage }
  | { kind: 'refused'; id: number; failure: Failure }
  | { kind: 'broken'; id: number; message: string }
