import { expect, test } from 'vitest'
import { byteRangeOf } from '../../../src/http/results/byteRange.ts'

test.each([
  [undefined, 10, 'whole'],
  ['', 10, 'whole'],
  ['bytes=0-0', 10, { start: 0, end: 0 }],
  ['bytes=2-5', 10, { start: 2, end: 5 }],
  ['bytes=2-', 10, { start: 2, end: 9 }],
  ['bytes=-3', 10, { start: 7, end: 9 }],
  ['bytes=-30', 10, { start: 0, end: 9 }],
  ['bytes=2-500', 10, { start: 2, end: 9 }],
  ['bytes=9-', 10, { start: 9, end: 9 }],
  ['BYTES= 2-5\t', 10, { start: 2, end: 5 }],
  ['bytes=000000000000000000000002-5', 10, { start: 2, end: 5 }],
  [`bytes=0-${'9'.repeat(400)}`, 10, { start: 0, end: 9 }],
  [`bytes=-${'9'.repeat(400)}`, 10, { start: 0, end: 9 }],
  ['bytes=10-', 10, 'unsatisfiable'],
  ['bytes=10-20', 10, 'unsatisfiable'],
  [`bytes=${'9'.repeat(400)}-`, 10, 'unsatisfiable'],
  ['bytes=-0', 10, 'unsatisfiable'],
  ['bytes=0-', 0, 'unsatisfiable'],
  ['bytes=-5', 0, 'unsatisfiable'],
  ['bytes=0-1,4-5', 10, 'whole'],
  ['bytes=0-1,', 10, 'whole'],
  ['bytes=5-2', 10, 'whole'],
  ['bytes=-', 10, 'whole'],
  ['bytes=', 10, 'whole'],
  ['bytes=a-b', 10, 'whole'],
  ['bytes=1.5-3', 10, 'whole'],
  ['bytes=+1-3', 10, 'whole'],
  ['bytes=0x1-3', 10, 'whole'],
  ['bytes=--3', 10, 'whole'],
  ['bytes=1-2-3', 10, 'whole'],
  ['bytes 1-2', 10, 'whole'],
  ['items=0-1', 10, 'whole'],
] as const)('the header %j on %i bytes means %o', (header, sizeBytes, expected) => {
  expect(byteRangeOf(header, sizeBytes)).toEqual(expected)
})
