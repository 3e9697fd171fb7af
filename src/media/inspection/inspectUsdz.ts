import { crc32 } from 'node:zlib'
import type { ByteReader } from './openByteReader.ts'
import { Unprocessable } from './unprocessable.ts'

const entriesMax = 10_000
const endSearchBytes = 65_557

/**
 * Walks the directory of a USDZ without unpacking. All entries must be stored uncompressed, be inside the file and match their checksum,
 * and the first entry must be a scene.
 */
export function inspectUsdz(bytes: ByteReader): void {
  const { entries, start } = readEnd(bytes)
  if (entries === 0) throw new Unprocessable('no_content', 'an empty package')
  if (entries > entriesMax) throw new Unprocessable('too_complex', 'too many entries')
  let offset = start
  let stored = 0
  for (let index = 0; index < entries; index += 1) {
    const entry = bytes.read(offset, 46)
    if (entry.readUInt32LE(0) !== 0x02014b50) throw new Unprocessable('corrupt', 'an entry is missing')
    // Entries that share bytes would make this read one file thousands of times.
    stored += entry.readUInt32LE(24)
    if (stored > bytes.sizeBytes) throw new Unprocessable('truncated', 'more content than bytes')
    checkEntry(bytes, entry)
    offset += 46 + entry.readUInt16LE(28) + entry.readUInt16LE(30) + entry.readUInt16LE(32)
  }
  checkScene(bytes)
}

function readEnd(bytes: ByteReader): { entries: number; start: number } {
  const tailStart = Math.max(0, bytes.sizeBytes - endSearchBytes)
  const tail = bytes.read(tailStart, bytes.sizeBytes - tailStart)
  const at = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (at === -1 || at + 22 > tail.length) throw new Unprocessable('truncated', 'no directory')
  return { entries: tail.readUInt16LE(at + 10), start: tail.readUInt32LE(at + 16) }
}

const pieceBytes = 1_048_576

function checkEntry(bytes: ByteReader, entry: Buffer): void {
  const encrypted = (entry.readUInt16LE(8) & 1) === 1
  if (entry.readUInt16LE(10) !== 0 || encrypted) throw new Unprocessable('corrupt', 'an entry is compressed or encrypted')
  const local = entry.readUInt32LE(42)
  const header = bytes.read(local, 30)
  if (header.readUInt32LE(0) !== 0x04034b50) throw new Unprocessable('corrupt', 'an entry is missing')
  const start = local + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  const end = start + entry.readUInt32LE(24)
  if (end > bytes.sizeBytes) throw new Unprocessable('truncated', 'an entry is cut off')
  let sum = 0
  for (let offset = start; offset < end; offset += pieceBytes) sum = crc32(bytes.read(offset, Math.min(pieceBytes, end - offset)), sum)
  if (sum !== entry.readUInt32LE(16)) throw new Unprocessable('corrupt', 'an entry does not match its checksum')
}

/** A scene is USD text or Pixar's binary form. Both have a signature. */
function checkScene(bytes: ByteReader): void {
  const header = bytes.read(0, 30)
  const start = 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  const scene = bytes.readUpTo(start, 8).toString('latin1')
  if (!scene.startsWith('#usda') && scene !== 'PXR-USDC') throw new Unprocessable('corrupt', 'the first entry is not a scene')
}
