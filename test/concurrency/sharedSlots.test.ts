import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeSharedSlots } from '../../src/concurrency/sharedSlots.ts'

function takeAll(slots: ReturnType<typeof makeSharedSlots>, group: string, member: string): number {
  let taken = 0
  while (slots.take({ group, member })) taken += 1
  return taken
}

test('a single member gets a quarter, its group half, and every one that comes after finds room', () => {
  const slots = makeSharedSlots(40)
  expect(takeAll(slots, 'one', 'a')).toBe(10)
  expect(takeAll(slots, 'one', 'b')).toBe(5)
  for (const group of ['two', 'three', 'four', 'five', 'six']) expect(takeAll(slots, group, 'a')).toBeGreaterThan(0)
})

test('a slot that comes back is free for whoever asks, and comes back once', () => {
  const slots = makeSharedSlots(4)
  const release = slots.take({ group: 'one', member: 'a' })
  expect(slots.hasRoom({ group: 'one', member: 'a' })).toBe(false)
  release?.()
  release?.()
  expect(takeAll(slots, 'one', 'a')).toBe(1)
})

test('whatever is taken and given back, no more than all slots are held, and a group never holds more than half', () => {
  const step = fc.record({ group: fc.nat(3), member: fc.nat(3), mayRelease: fc.boolean() })
  fc.assert(
    fc.property(fc.nat(50), fc.array(step, { maxLength: 200 }), (total, steps) => {
      const slots = makeSharedSlots(total)
      const held: { group: number; release(): void }[] = []
      for (const { group, member, mayRelease } of steps) {
        if (mayRelease) held.shift()?.release()
        const release = slots.take({ group: String(group), member: String(member) })
        if (release) held.push({ group, release })
        expect(held.length).toBeLessThanOrEqual(total)
        for (const one of [0, 1, 2, 3]) expect(held.filter((each) => each.group === one).length).toBeLessThanOrEqual((total + 1) / 2)
      }
    }),
  )
})
