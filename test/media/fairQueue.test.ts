import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeFairQueue } from '../../src/media/fairQueue.ts'

test('owners are served in turn, and items of one owner keep their order', () => {
  const queue = makeFairQueue<string>(10)
  for (const [owner, item] of [
    ['a', 'a1'],
    ['a', 'a2'],
    ['a', 'a3'],
    ['b', 'b1'],
    ['c', 'c1'],
    ['b', 'b2'],
  ] as const)
    queue.add(owner, item)
  const taken = Array.from({ length: 7 }, () => queue.take())
  expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined])
})

test('the queue never exceeds its limit, and each added item is taken once or removed', () => {
  const step = fc.record({ kind: fc.constantFrom('add', 'take', 'remove'), owner: fc.constantFrom('a', 'b', 'c'), item: fc.nat(20) })
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const queue = makeFairQueue<number>(5)
      const held: string[] = []
      for (const { kind, owner, item } of steps) {
        const known = held.indexOf(`${owner}${item}`)
        if (kind === 'add' && known === -1 && queue.add(owner, item)) held.push(`${owner}${item}`)
        if (kind === 'remove') {
          queue.remove(owner, item)
          if (known !== -1) held.splice(known, 1)
        }
        const before = held.length
        const taken = kind === 'take' ? queue.take() : undefined
        const place = held.findIndex((name) => name.slice(1) === String(taken))
        if (place !== -1) held.splice(place, 1)
        expect(held).toHaveLength(kind === 'take' ? Math.max(0, before - 1) : before)
        expect(queue.length).toBe(held.length)
        expect(queue.length).toBeLessThanOrEqual(5)
      }
    }),
  )
})
