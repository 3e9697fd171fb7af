import { Readable } from 'node:stream'
import type { OutputType } from '../../contract/shapes/outputTypes.ts'
import { detectFormat, headBytes } from '../../media/detectFormat.ts'
import { mediaFormats } from '../../media/mediaFormats.ts'
import { type Output, type ProviderContext, UnfitOutput } from '../provider.ts'

export type FirstOutputStager = {
  /** Keeps the bytes when nothing was kept yet and they may be what is wanted; says whether it has. `declared`: what they are said to be. */
  offer(bytes: AsyncGenerator<Buffer>, declared?: string): Promise<boolean>
  /** What was kept: one output, or none. */
  outputs(): Output[]
  /** How many were offered and left. */
  left(): number
}

/** For answers that hold several files: the first is kept whose signature does not say that it is something else than `wanted`. */
export function stageFirstOutput({ keep }: Pick<ProviderContext, 'keep'>, wanted: OutputType): FirstOutputStager {
  let kept: Output | undefined
  let offered = 0
  return {
    async offer(bytes, declared = defaultMimeTypes[wanted]) {
      offered += 1
      if (kept) return false
      const { head, whole } = await withHead(bytes)
      const { candidates, mimeType: seen } = await detectFormat(head)
      if (candidates.length > 0 && !candidates.some((format) => mediaFormats[format].type === wanted)) return false
      kept = await keep(Readable.from(whole, { objectMode: false }), candidates.length > 0 && seen !== null ? seen : declared)
      return true
    },
    outputs: () => (kept ? [kept] : []),
    left: () => offered - (kept ? 1 : 0),
  }
}

/** For an answer that goes on beyond what any result has: what was kept of it counts, and the rest is lost. */
export function allowUnfitAfterFirst(first: FirstOutputStager) {
  return (error: unknown): undefined => {
    if (!(error instanceof UnfitOutput) || first.outputs().length === 0) throw error
  }
}

/** Of bytes whose signature tells nothing, and of which nobody has said what they are. */
const defaultMimeTypes: Record<OutputType, string> = {
  image: 'image/png',
  video: 'video/mp4',
  audio: 'audio/mpeg',
  model3d: 'model/gltf-binary',
}

async function withHead(bytes: AsyncGenerator<Buffer>): Promise<{ head: Buffer; whole: AsyncGenerator<Buffer> }> {
  const chunks: Buffer[] = []
  let length = 0
  while (length < headBytes) {
    const { value, done } = await bytes.next()
    if (done) break
    chunks.push(value)
    length += value.length
  }
  const head = Buffer.concat(chunks)
  return { head, whole: joined(head, bytes) }
}

async function* joined(head: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head
  yield* rest
}
