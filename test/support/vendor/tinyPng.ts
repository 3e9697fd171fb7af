import { crc32, deflateSync } from 'node:zlib'

const redGreenBlueWhite = Buffer.from([255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255])

/** A valid 2 × 2 PNG of the colours in these 12 bytes, written by hand so that a child needs no image library for it. */
export function tinyPng(colours = redGreenBlueWhite): Buffer {
  const header = Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0])
  const rows = Buffer.from([0, ...colours.subarray(0, 6), 0, ...colours.subarray(6, 12)])
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(content.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([size, named, sum])
}
