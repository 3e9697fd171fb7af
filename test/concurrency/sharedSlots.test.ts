import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeSharedSlots } from '../../src/concurrency/sharedSlots.ts'

type Slots = ReturnType<typeof makeSharedSlots>

function takeAll(slots: Slots, group: string, member: string, { isNew = false } = {}): number {
  let taken = 0
  while (slots.take({ group, member, isNew })) taken += 1
  return taken
}

test('a single member gets a quarter, its group half, and every later holder gets a slot', () => {
  const slots = makeSharedSlots(40)
  expect(takeAll(slots, 'one', 'a')).toBe(10)
  expect(takeAll(slots, 'one', 'b')).toBe(5)
  for (const group of ['two', 'three', 'four', 'five', 'six']) expect(takeAll(slots, group, 'a')).toBeGreaterThan(0)
})

test.each([2, 4, 8, 16, 100])('however much new work holds slots, one of %i is free for started work', (total) => {
  const slots = makeSharedSlots(total)
  for (let group = 0; group < total; group++) takeAll(slots, String(group), 'a', { isNew: true })
  expect(takeAll(slots, '0', 'a', { isNew: true })).toBe(0)
  expect(takeAll(slots, '0', 'a')).toBeGreaterThan(0)
})

test.each([4, 8, 40, 100])('however many of %i slots the started work of a member holds, its new work gets one', (total) => {
  const slots = makeSharedSlots(total)
  expect(takeAll(slots, 'one', 'a')).toBeGreaterThan(0)
  expect(slots.hasRoom({ group: 'one', member: 'a' })).toBe(false)
  expect(takeAll(slots, 'one', 'a', { isNew: true })).toBeGreaterThan(0)
})

test('a single slot is used in turn, also by new work', () => {
  expect(takeAll(makeSharedSlots(1), 'one', 'a', { isNew: true })).toBe(1)
})

test('a released slot is free for any holder, and a second release has no effect', () => {
  const slots = makeSharedSlots(4)
  const release = slots.take({ group: 'one', member: 'a' })
  expect(slots.hasRoom({ group: 'one', member: 'a' })).toBe(false)
  release?.()
  release?.()
  expect(takeAll(slots, 'one', 'a')).toBe(1)
})

test('in any sequence of takes and releases, the total is never exceeded, and a group never holds more than half for new or for started work', () => {
  const step = fc.record({ group: fc.nat(3), member: fc.nat(3), mayRelease: fc.boolean(), isNew: fc.boolean() })
  fc.assert(
    fc.property(fc.nat(50), fc.array(step, { maxLength: 200 }), (total, steps) => {
      const slots = makeSharedSlots(total)
      const held: { group: number; isNew: boolean; release(): void }[] = []
      for (const { group, member, mayRelease, isNew } of steps) {
        if (mayRelease) held.shift()?.release()
        const release = slots.take({ group: String(group), member: String(member), isNew })
        if (release) held.push({ group, isNew, release })
        expect(held.length).toBeLessThanOrEqual(total)
        for (const one of [0, 1, 2, 3])
          for (const kind of [true, false])
            expect(held.filter((each) => each.group === one && each.isNew === kind).length).toBeLessThanOrEqual((total + 1) / 2)
      }
    }),
  )
})
