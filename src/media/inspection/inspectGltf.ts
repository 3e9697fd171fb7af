import { checkGltf } from './checkGltf.ts'
import type { ByteReader } from './openByteReader.ts'
import { type JsonObject, readBoundedJson } from './readBoundedJson.ts'
import { Unprocessable } from './unprocessable.ts'

const jsonBytesMax = 64 * 1024 * 1024
/** A file has two chunks, and more only with extensions. */
const chunksMax = 1000
const kinds = { json: 0x4e4f534a, binary: 0x004e4942 }

/** Reads a self-contained glTF. Returns `false` for other JSON. */
export function inspectGltf(bytes: ByteReader): boolean {
  const scene = readJson(bytes, 0, bytes.sizeBytes)
  if (scene['asset'] === undefined) return false
  checkGltf(scene, undefined)
  return true
}

/**
 * Reads a GLB: its header, its chunks, and the scene. Refuses files that readers interpret differently: a second scene, a binary part that is
 * not the second chunk, incomplete chunks, and bytes after the last chunk. Chunks of other kinds are ignored, as the format requires.
 */
export function inspectGlb(bytes: ByteReader): void {
  const length = bytes.read(8, 4).readUInt32LE(0)
  if (length > bytes.sizeBytes) throw new Unprocessable('truncated', 'shorter than its header says')
  if (length < bytes.sizeBytes) throw new Unprocessable('corrupt', 'longer than its header says')
  const [json, ...others] = readChunks(bytes, length)
  if (json?.kind !== kinds.json) throw new Unprocessable('corrupt', 'no scene')
  const misplaced = others.some(({ kind }, index) => kind === kinds.json || (kind === kinds.binary && index > 0))
  if (misplaced) throw new Unprocessable('corrupt', 'a scene or binary part in the wrong place')
  const [second] = others
  checkGltf(readJson(bytes, json.start, json.end - json.start), second?.kind === kinds.binary ? second.end - second.start : undefined)
}

type Chunk = { kind: number; start: number; end: number }

function readChunks(bytes: ByteReader, length: number): Chunk[] {
  const chunks: Chunk[] = []
  for (let offset = 12; offset < length; offset = chunks.at(-1)?.end ?? length) {
    if (chunks.length === chunksMax) throw new Unprocessable('too_complex', 'too many chunks')
    if (offset + 8 > length) throw new Unprocessable('corrupt', 'an incomplete chunk')
    const header = bytes.read(offset, 8)
    const start = offset + 8
    const end = start + header.readUInt32LE(0)
    if (end > length) throw new Unprocessable('corrupt', 'a chunk exceeds the file')
    chunks.push({ kind: header.readUInt32LE(4), start, end })
  }
  return chunks
}

function readJson(bytes: ByteReader, offset: number, length: number): JsonObject {
  if (length > jsonBytesMax) throw new Unprocessable('too_complex', 'too much JSON')
  const text = bytes.read(offset, length)
  const hasByteOrderMark = text.length >= 3 && text.readUIntBE(0, 3) === 0xefbbbf
  return readBoundedJson(hasByteOrderMark ? text.subarray(3) : text)
}
