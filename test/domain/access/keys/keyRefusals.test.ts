import { afterAll, expect, test } from 'vitest'
import { makeKeyRefusalRecorder } from '../../../../src/domain/access/keys/keyRefusalRecorder.ts'
import { pruneKeyRefusals, refusalsOfKey } from '../../../../src/domain/access/keys/keyRefusals.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)
const tool = aServiceContext(services)
const start = new Date('2026-03-10T12:00:00.000Z')
const inDays = (days: number) => new Date(start.getTime() + days * 86_400_000)

test('refused requests of several processes add up by key and code, for 30 days', async () => {
  await clock.set(start)
  const [own, other] = [await aTeamWithKey(services), await aTeamWithKey(services)]
  const [first, second] = [makeKeyRefusalRecorder(services), makeKeyRefusalRecorder(services)]
  for (const recorder of [first, second]) {
    recorder.record(own.key.id, 'rate_limited')
    recorder.record(own.key.id, 'rate_limited')
    recorder.record(own.key.id, 'invalid_request')
  }
  first.record(other.key.id, 'not_found')
  await Promise.all([first.flush(), second.flush()])
  await first.flush()
  expect(await refusalsOfKey(tool, own.key.id)).toEqual([
    { code: 'rate_limited', count: 4, lastAt: start },
    { code: 'invalid_request', count: 2, lastAt: start },
  ])
  await clock.set(inDays(1))
  first.record(own.key.id, 'invalid_request')
  await first.flush()
  expect(await refusalsOfKey(tool, own.key.id)).toContainEqual({ code: 'invalid_request', count: 3, lastAt: inDays(1) })
  await clock.set(inDays(31))
  await pruneKeyRefusals(tool)
  expect(await refusalsOfKey(tool, own.key.id)).toEqual([{ code: 'invalid_request', count: 1, lastAt: inDays(1) }])
  expect(await refusalsOfKey(tool, other.key.id)).toEqual([])
})

test('a recorder counts a bounded number of keys and codes until the next flush', async () => {
  const own = await aTeamWithKey(services)
  const recorder = makeKeyRefusalRecorder(services)
  for (let nth = 0; nth < 10_000; nth++) recorder.record(`key_${nth}`, 'not_found')
  recorder.record(own.key.id, 'not_found')
  await recorder.flush()
  expect(await refusalsOfKey(tool, own.key.id)).toEqual([])
  recorder.record(own.key.id, 'not_found')
  await recorder.flush()
  expect(await refusalsOfKey(tool, own.key.id)).toMatchObject([{ code: 'not_found', count: 1 }])
})
