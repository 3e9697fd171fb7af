import { crc32, deflateSync } from 'node:zlib'
import { uint32 } from './isoBox.ts'

/** A PNG of black pixels, one bit each, that is quickly made at any size. An interlaced one is decoded as a whole in memory. */
export function blackPng({ width, height, interlaced = false }: { width: number; height: number; interlaced?: boolean }): Buffer {
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([1, 0, 0, 0, interlaced ? 1 : 0])])
  const passes = interlaced ? adam7 : [{ x: 0, y: 0, stepX: 1, stepY: 1 }]
  const rowBytes = passes.map(({ x, y, stepX, stepY }) => {
    const [columns, rows] = [Math.ceil((width - x) / stepX), Math.ceil((height - y) / stepY)]
    return rows * (1 + Math.ceil(columns / 8))
  })
  const rows = deflateSync(Buffer.alloc(rowBytes.reduce((sum, bytes) => sum + bytes, 0)), { level: 1 })
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, pngChunk('IHDR', header), pngChunk('IDAT', rows), pngChunk('IEND', Buffer.alloc(0))])
}

const adam7 = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
]

export function pngChunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content])
  return Buffer.concat([uint32(content.length), named, uint32(crc32(named))])
}
