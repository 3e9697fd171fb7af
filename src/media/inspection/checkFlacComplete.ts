import type { ByteReader } from './openByteReader.ts'
import { skipId3 } from './skipId3.ts'
import { Unprocessable } from './unprocessable.ts'

/**
 * Compares a FLAC file with its header: the number of samples, and the checksum of the last frame. `endSeconds` is the end of that frame.
 */
export function checkFlacComplete(bytes: ByteReader, lastFrame: Uint8Array, endSeconds: number): void {
  // The first metadata block is the stream information: rate, channels, depth and sample count share eight bytes.
  const packed = bytes.read(skipId3(bytes) + 18, 8).readBigUInt64BE(0)
  const rate = Number(packed >> 44n)
  const samples = Number(packed & 0xf_ffff_ffffn)
  if (samples > 0 && Math.round(endSeconds * rate) < samples) throw new Unprocessable('truncated', 'fewer samples than the header says')
  if (checksum(withoutTag(lastFrame)) !== 0) throw new Unprocessable('truncated', 'the last frame does not match its checksum')
}

/** Some programs write a 128 byte tag after the last frame. */
function withoutTag(frame: Uint8Array): Uint8Array {
  const tag = frame.subarray(-128)
  return Buffer.from(tag).toString('latin1', 0, 3) === 'TAG' ? frame.subarray(0, -128) : frame
}

/** CRC-16 with the polynomial 0x8005. It is 0 over a frame with its own checksum. */
export function checksum(frame: Uint8Array): number {
  let value = 0
  for (const byte of frame) {
    value ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) value = value & 0x8000 ? ((value << 1) ^ 0x8005) & 0xffff : (value << 1) & 0xffff
  }
  return value
}
