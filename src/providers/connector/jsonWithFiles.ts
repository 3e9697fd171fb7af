import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Json } from '../../contract/json.ts'
import type { ProviderInput } from '../provider.ts'
import { beforeSubmit } from './beforeSubmit.ts'

type File = { mark: string; stream: Readable; sizeBytes: number }

/** A JSON request that can be sent once. */
export type JsonRequest = { headers: { 'content-type': string; 'content-length': string }; body: Readable }

/**
 * Builds a JSON request that streams files as base64, so that no file is held in memory. `request` receives one marker text for each
 * input, in their order, and returns the JSON. The markers derive from `seed`, which must be random: a marker must not occur in other
 * text. Throws `NotSent` when an input cannot be opened.
 */
export async function jsonWithFiles(
  inputs: readonly Pick<ProviderInput, 'open' | 'sizeBytes'>[],
  seed: string,
  request: (texts: readonly string[]) => Json,
): Promise<JsonRequest> {
  const files: File[] = []
  const close = () => files.forEach(({ stream }) => stream.destroy())
  try {
    await beforeSubmit(async () => {
      for (const [index, { open, sizeBytes }] of inputs.entries()) {
        const stream = await open()
        stream.on('error', () => {})
        files.push({ mark: markOf(seed, index), stream, sizeBytes })
      }
    })
    const pieces = cut(JSON.stringify(request(files.map(({ mark }) => mark))), files)
    const body = Readable.from(written(pieces), { objectMode: false })
    body.once('close', close)
    const bytes = pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? Buffer.byteLength(piece) : base64Bytes(piece)), 0)
    return { headers: { 'content-type': 'application/json', 'content-length': String(bytes) }, body }
  } catch (error) {
    close()
    throw error
  }
}

function markOf(seed: string, index: number): string {
  return `file-${createHash('sha256').update(`${index}:${seed}`).digest('hex')}`
}

/** Splits the text at the markers into texts and files, in order. */
function cut(text: string, files: readonly File[]): (string | File)[] {
  const byMark = new Map(files.map((file) => [file.mark, file]))
  return text.split(/(file-[0-9a-f]{64})/).map((piece) => byMark.get(piece) ?? piece)
}

function base64Bytes({ sizeBytes }: File): number {
  return Math.ceil(sizeBytes / 3) * 4
}

async function* written(pieces: readonly (string | File)[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (typeof piece === 'string') yield Buffer.from(piece)
    else yield* inBase64(piece.stream as AsyncIterable<Buffer>)
  }
}

async function* inBase64(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = Buffer.alloc(0)
  for await (const chunk of stream) {
    const bytes = Buffer.concat([left, chunk])
    const whole = bytes.length - (bytes.length % 3)
    left = bytes.subarray(whole)
    if (whole > 0) yield Buffer.from(bytes.toString('base64', 0, whole))
  }
  if (left.length > 0) yield Buffer.from(left.toString('base64'))
}
