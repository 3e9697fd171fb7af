import { afterAll, expect, test, vi } from 'vitest'
import { issueKey } from '../../../../src/domain/access/keys/issueKey.ts'
import { revokeKey } from '../../../../src/domain/access/keys/revokeKey.ts'
import { makeApiKey } from '../../../../src/secrets/apiKeyText.ts'
import { testClock } from '../../../support/clock.ts'
import { aServiceContext, restScopes } from '../../../support/factories.ts'
import { granted, requestAdmissions, times } from '../../../support/http/requestAdmissions.ts'
import { testServices } from '../../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)

const { aBatcher, aKey, slotsOf } = requestAdmissions(services)
const address = '192.0.2.1'

test('a user has one count over all keys and processes', async () => {
  const { value, team, user } = await aKey()
  const { value: other } = await issueKey(aServiceContext(services), {
    teamId: team.id,
    userId: user.id,
    name: 'second',
    scopes: restScopes,
  })
  const [first, second] = [aBatcher().batcher, aBatcher().batcher]
  const counts: number[] = []
  for (let n = 0; n < 20; n++) {
    const admitted = await Promise.all([first.admit(value, address), second.admit(other, address), first.admit(other, address)])
    counts.push(...admitted.map(({ requestsCounted }) => requestsCounted))
    for (const { releaseSlot } of admitted) releaseSlot()
  }
  expect(counts.toSorted((left, right) => left - right)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1))
})

test('four processes count 800 concurrent requests without gaps or repeats, so together they admit no more than the limit', async () => {
  const { value } = await aKey()
  const processes = [aBatcher().batcher, aBatcher().batcher, aBatcher().batcher, aBatcher().batcher]
  const counts: number[] = []
  for (let n = 0; n < 25; n++) {
    const admitted = await Promise.all(processes.map((batcher) => times(8, () => batcher.admit(value, address))))
    for (const { requestsCounted, releaseSlot } of admitted.flat()) {
      counts.push(requestsCounted)
      releaseSlot()
    }
  }
  expect(counts.toSorted((left, right) => left - right)).toEqual(Array.from({ length: 800 }, (_, index) => index + 1))
})

test('the count restarts after the announced end of the minute', async () => {
  const { value } = await aKey()
  const clock = testClock('2026-03-10T12:00:59.000Z')
  const { batcher } = aBatcher({ clock })
  await batcher.admit(value, address)
  expect(await batcher.admit(value, address)).toMatchObject({ requestsCounted: 2, windowEndsAt: Date.parse('2026-03-10T12:01:00Z') / 1000 })
  await clock.advance(1000)
  expect(await batcher.admit(value, address)).toMatchObject({ requestsCounted: 1, windowEndsAt: Date.parse('2026-03-10T12:02:00Z') / 1000 })
})

test('processes with different clocks keep the counts of each other', async () => {
  const { value } = await aKey()
  const early = aBatcher({ clock: testClock('2026-03-10T12:01:00.500Z') }).batcher
  const late = aBatcher({ clock: testClock('2026-03-10T12:00:59.900Z') }).batcher
  const counts: number[] = []
  for (let n = 0; n < 5; n++) for (const batcher of [early, late]) counts.push((await batcher.admit(value, address)).requestsCounted)
  expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('of concurrent requests in all processes, exactly as many get a slot as are free', async () => {
  const { value, subject } = await aKey()
  const [one, two] = [aBatcher(), aBatcher()]
  const all = await Promise.all([times(40, () => one.batcher.admit(value, address)), times(40, () => two.batcher.admit(value, address))])
  expect(granted(all.flat())).toBe(32)
  expect(Object.values(await slotsOf(subject)).reduce((sum, count) => sum + count, 0)).toBe(32)
})

test('within a batch the first requests get the slots', async () => {
  const { value } = await aKey()
  const { batcher } = aBatcher({ slots: 3 })
  const admitted = await times(5, () => batcher.admit(value, address))
  expect(admitted.map(({ slotGranted }) => slotGranted)).toEqual([true, true, true, false, false])
  expect(admitted.map(({ requestsCounted }) => requestsCounted)).toEqual([1, 2, 3, 4, 5])
})

test('a released slot is free at once, and a second release changes nothing', async () => {
  const { value, subject } = await aKey()
  const { batcher } = aBatcher({ slots: 2 })
  const [first] = await times(2, () => batcher.admit(value, address))
  expect((await batcher.admit(value, address)).slotGranted).toBe(false)
  first?.releaseSlot()
  first?.releaseSlot()
  expect(granted(await times(2, () => batcher.admit(value, address)))).toBe(1)
  expect(Object.values(await slotsOf(subject))).toEqual([2])
})

test('slots are released without a further request', async () => {
  const { value, subject } = await aKey()
  const { batcher } = aBatcher()
  for (const { releaseSlot } of await times(5, () => batcher.admit(value, address))) releaseSlot()
  await vi.waitFor(async () => expect(await slotsOf(subject)).toEqual({}), { timeout: 1000, interval: 10 })
})

test('requests without a valid key count by address and hold no slot', async () => {
  const { batcher } = aBatcher({ slots: 1 })
  const unknown = makeApiKey().value
  const admitted = await Promise.all([
    batcher.admit(undefined, '192.0.2.7'),
    batcher.admit(unknown, '192.0.2.7'),
    batcher.admit(undefined, '192.0.2.8'),
  ])
  expect(admitted).toMatchObject([
    { key: undefined, requestsCounted: 1, slotGranted: false },
    { key: undefined, requestsCounted: 2, slotGranted: false },
    { key: undefined, requestsCounted: 1, slotGranted: false },
  ])
})

test('a flood of addresses without keys adds a limited number of rows, and keys are served meanwhile', async () => {
  const { batcher } = aBatcher()
  const { value } = await aKey()
  const rows = async () => Number((await services.pool.query('select count(*) from request_counts')).rows[0].count)
  const before = await rows()
  for (let part = 0; part < 10; part++) {
    const strangers = Array.from({ length: 1000 }, (_, index) => batcher.admit(undefined, `10.${part}.${index >> 8}.${index & 255}`))
    const [admitted] = await Promise.all([batcher.admit(value, '10.99.0.1'), ...strangers])
    expect(admitted.slotGranted).toBe(true)
  }
  expect((await rows()) - before).toBeLessThan(8000)
})

test('a revoked key is unknown at once', async () => {
  const { value, key, context } = await aKey()
  const { batcher } = aBatcher()
  expect((await batcher.admit(value, address)).key?.keyId).toBe(key.id)
  await revokeKey(context, key.id)
  expect((await batcher.admit(value, address)).key).toBeUndefined()
})

test('close() releases every slot of the process and refuses later requests', async () => {
  const { value, subject } = await aKey()
  const { batcher } = aBatcher()
  const [held] = await times(3, () => batcher.admit(value, address))
  await batcher.close()
  held?.releaseSlot()
  expect(await slotsOf(subject)).toEqual({})
  await expect(batcher.admit(value, address)).rejects.toMatchObject({ code: 'service_unavailable' })
})
