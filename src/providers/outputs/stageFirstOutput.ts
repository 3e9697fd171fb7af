import { Readable } from 'node:stream'
import type { OutputType } from '../../contract/shapes/outputTypes.ts'
import { detectFormat, headBytes } from '../../media/detectFormat.ts'
import { mediaFormats } from '../../media/mediaFormats.ts'
import { type Output, type ProviderContext, UnfitOutput } from '../provider.ts'

export type FirstOutputStager = {
  /** Stores the bytes if none are stored yet and they may be of the wanted type. Resolves whether it did. `declared`: the vendor's type. */
  offer(bytes: AsyncGenerator<Buffer>, declared?: string): Promise<boolean>
  /** The stored output, if any. */
  outputs(): Output[]
  /** The number of offers that were not stored. */
  left(): number
}

/** For answers with several files: stores the first one, except files with a signature of another type than `wanted`. */
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

/** Ignores an answer above the size limits after an output was stored. */
export function allowUnfitAfterFirst(first: FirstOutputStager) {
  return (error: unknown): undefined => {
    if (!(error instanceof UnfitOutput) || first.outputs().length === 0) throw error
  }
}

/** For bytes without a known signature or a declared type. */
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
