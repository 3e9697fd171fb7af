import { expect, test } from 'vitest'
import { makeSlotBackoff, makeTeamSlots } from '../../../src/jobs/deliveries/teamSlots.ts'

type Slots = ReturnType<typeof makeTeamSlots>

/** Takes slots for as many subscriptions of the team. Returns how many got one, and how many joined the line; the others wait. */
async function takeMany(slots: Slots, team: string, count: number): Promise<{ taken: number; lined: number }> {
  const found = { taken: 0, lined: 0 }
  for (let index = 0; index < count; index += 1) {
    void slots.take(team, `${team}${index}`).then((isTaken) => (found[isTaken ? 'taken' : 'lined'] += 1))
  }
  await settled()
  return found
}

/** Resolves after the promises that are settled now. */
const settled = () => new Promise(setImmediate)

test('one team gets half of the slots, and each other team still gets a quarter', async () => {
  const slots = makeTeamSlots(200)
  const [busy, second, third] = [
    await takeMany(slots, 'busy', 200),
    await takeMany(slots, 'second', 200),
    await takeMany(slots, 'third', 1),
  ]
  expect([busy.taken, second.taken, third.taken]).toEqual([100, 50, 1])
  for (let count = 0; count < 75; count += 1) slots.release('busy')
  await settled()
  // Above half of all slots, each released slot of a team that has more than its share is left for others.
  expect([busy.taken, second.taken]).toEqual([125, 50])
  expect((await takeMany(slots, 'third', 60)).taken).toBe(49)
  slots.close()
})

test('a runner with one slot serves one team at a time, and the next team as soon as the slot is released', async () => {
  const slots = makeTeamSlots(1)
  const [busy, other] = [await takeMany(slots, 'busy', 1), await takeMany(slots, 'other', 1)]
  expect([busy.taken, other.taken, slots.isWanted('busy')]).toEqual([1, 0, true])
  slots.release('busy')
  await settled()
  expect([other.taken, slots.release('other')]).toEqual([1, undefined])
})

test('a released slot passes to the subscription of the team that has waited longest, and only then to the first of its line', async () => {
  const slots = makeTeamSlots(4)
  const results: string[] = []
  const take = (id: string) => void slots.take('busy', id).then((isTaken) => results.push(`${id} ${isTaken}`))
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'g']) take(id)
  await settled()
  expect(results).toEqual(['a true', 'b true', 'g false', 'h false', 'g false'])
  expect([slots.isWanted('busy'), slots.isWanted('other')]).toEqual([true, false])
  for (const [index, id] of ['c', 'd', 'e', 'f'].entries()) {
    expect(slots.release('busy')).toBeUndefined()
    await settled()
    expect(results.slice(5)).toHaveLength(index + 1)
    expect(results.at(-1)).toBe(`${id} true`)
  }
  expect(slots.release('busy')).toBe('g')
  expect(await slots.take('busy', 'h')).toBe(true)
  expect([slots.isWanted('busy'), slots.release('busy'), slots.release('busy')]).toEqual([false, undefined, undefined])
})

test('a subscription that waited too long joins the line, and waits on while its team has less than its share', async () => {
  const slots = makeTeamSlots(2, { waitMs: 5 })
  expect(await slots.take('busy', 'a')).toBe(true)
  expect(await slots.take('busy', 'b')).toBe(false)
  expect(await slots.take('second', 'c')).toBe(true)
  const third = slots.take('third', 'd')
  expect(await slots.take('second', 'e')).toBe(false)
  expect(slots.release('busy')).toBe('b')
  expect(await third).toBe(true)
})

test('a team below its share gets a slot when all others wait', async () => {
  const slots = makeTeamSlots(4)
  for (const team of ['one', 'two']) await takeMany(slots, team, 4)
  expect((await takeMany(slots, 'three', 1)).taken).toBe(1)
  const late = slots.take('four', 'late')
  slots.release('one')
  expect(await late).toBe(true)
})

test('a close ends all waits without a slot', async () => {
  const slots = makeTeamSlots(1)
  await slots.take('busy', 'a')
  const [same, other] = [slots.take('busy', 'b'), slots.take('other', 'c')]
  slots.close()
  expect(await Promise.all([same, other])).toEqual([false, false])
})

test('the pause of a subscription doubles up to 32 seconds, and starts again at one second after a reset', () => {
  const backoff = makeSlotBackoff()
  expect(Array.from({ length: 7 }, () => backoff.next('hook'))).toEqual([1, 2, 4, 8, 16, 32, 32])
  expect(backoff.next('other')).toBe(1)
  backoff.reset('hook')
  expect(backoff.next('hook')).toBe(1)
})
