import { expect, test } from 'vitest'
import { joinPieces, releaseBuffer } from '../../src/transport/releaseBuffer.ts'

test('a buffer of its own is freed, and a part of a larger one stays', () => {
  const own = Buffer.allocUnsafeSlow(100)
  const part = Buffer.alloc(200).subarray(0, 100)
  releaseBuffer(own)
  releaseBuffer(part)
  expect([own.length, part.length]).toEqual([0, 100])
})

test('pieces are joined, and do not stay in memory beside the whole', () => {
  const pieces = ['a', 'b'].map((text) => Buffer.from(text.repeat(70_000)))
  expect(String(joinPieces(pieces))).toBe('a'.repeat(70_000) + 'b'.repeat(70_000))
  expect(pieces.map(({ length }) => length)).toEqual([0, 0])
})
