import type { ByteReader } from './openByteReader.ts'
import { Unprocessable } from './unprocessable.ts'

const headerBytes = 27

/** Checks all pages of an Ogg file. Throws `truncated` for an incomplete page, and `corrupt` for a wrong checksum or other data. */
export function checkOggComplete(bytes: ByteReader): void {
  for (let offset = 0; offset < bytes.sizeBytes; ) {
    const header = bytes.readUpTo(offset, headerBytes)
    if (header.toString('latin1', 0, 4) !== 'OggS'.slice(0, header.length)) throw new Unprocessable('corrupt', 'a page is missing')
    if (header.length < headerBytes) throw new Unprocessable('truncated', 'a page is cut off')
    const segments = header.readUInt8(26)
    const lengths = bytes.read(offset + headerBytes, segments)
    const length = headerBytes + segments + lengths.reduce((sum, value) => sum + value, 0)
    const page = Buffer.from(bytes.read(offset, length))
    const expected = page.readUInt32LE(22)
    page.writeUInt32LE(0, 22)
    if (checksum(page) !== expected) throw new Unprocessable('corrupt', 'a page does not match its checksum')
    offset += length
  }
}

/** The CRC-32 of Ogg: polynomial 0x04c11db7, most significant bit first. `zlib.crc32` reverses the bits, so it returns other values. */
function checksum(page: Uint8Array): number {
  let value = 0
  for (const byte of page) value = ((value << 8) ^ (table[((value >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0
  return value
}

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24
  for (let bit = 0; bit < 8; bit += 1) value = value & 0x8000_0000 ? (value << 1) ^ 0x04c1_1db7 : value << 1
  return value
})
