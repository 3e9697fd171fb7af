import { checkGltf } from './checkGltf.ts'
import type { ByteReader } from './openByteReader.ts'
import { type JsonObject, readBoundedJson } from './readBoundedJson.ts'
import { Unprocessable } from './unprocessable.ts'

const jsonBytesMax = 64 * 1024 * 1024
const kinds = { json: 0x4e4f534a, binary: 0x004e4942 }

/** Reads a self-contained glTF. Returns `false` for other JSON. */
export function inspectGltf(bytes: ByteReader): boolean {
  const scene = readJson(bytes, 0, bytes.sizeBytes)
  if (scene['asset'] === undefined) return false
  checkGltf(scene, undefined)
  return true
}

/** Reads a GLB: its header, its chunks, and the scene in the first chunk. */
export function inspectGlb(bytes: ByteReader): void {
  const length = bytes.read(8, 4).readUInt32LE(0)
  if (length > bytes.sizeBytes) throw new Unprocessable('truncated', 'shorter than its header says')
  const json = readChunk(bytes, 12, length)
  if (json.kind !== kinds.json) throw new Unprocessable('corrupt', 'no scene')
  const scene = readJson(bytes, json.start, json.end - json.start)
  const next = json.end + 8 <= length ? readChunk(bytes, json.end, length) : undefined
  checkGltf(scene, next?.kind === kinds.binary ? next.end - next.start : undefined)
}

function readChunk(bytes: ByteReader, offset: number, length: number): { kind: number; start: number; end: number } {
  const header = bytes.read(offset, 8)
  const start = offset + 8
  const end = start + header.readUInt32LE(0)
  if (end > length) throw new Unprocessable('corrupt', 'a chunk exceeds the file')
  return { kind: header.readUInt32LE(4), start, end }
}

function readJson(bytes: ByteReader, offset: number, length: number): JsonObject {
  if (length > jsonBytesMax) throw new Unprocessable('too_complex', 'too much JSON')
  const text = bytes.read(offset, length)
  const hasByteOrderMark = text.length >= 3 && text.readUIntBE(0, 3) === 0xefbbbf
  return readBoundedJson(hasByteOrderMark ? text.subarray(3) : text)
}
