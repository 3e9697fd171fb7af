import { afterAll, expect, test, vi } from 'vitest'
import { Refusal } from '../../../../src/contract/refusals/refusals.ts'
import type { AdmissionBatcher } from '../../../../src/domain/access/admission/admissionBatcher.ts'
import { bindSql, type Sql } from '../../../../src/domain/sql.ts'
import { granted, requestAdmissions, times } from '../../../support/http/requestAdmissions.ts'
import { testServices } from '../../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)

const { aBatcher, aKey, slotsOf } = requestAdmissions(services)
const address = '192.0.2.1'

/** While `broken`, statements run but their results are lost. */
function losingAnswers(): { sql: Sql; broken: boolean } {
  const real = bindSql(services.pool)
  const arrived = <Answer>(answer: Answer): Answer => {
    if (link.broken) throw new Refusal('service_unavailable')
    return answer
  }
  const link: { sql: Sql; broken: boolean } = {
    broken: false,
    sql: {
      all: async (asked, values) => arrived(await real.all(asked, values)),
      one: async (asked, values) => arrived(await real.one(asked, values)),
    },
  }
  return link
}

async function repeatedly(batcher: AdmissionBatcher, value: string, count: number): Promise<number> {
  let failures = 0
  for (let n = 0; n < count; n++) await batcher.admit(value, address).catch(() => (failures += 1))
  return failures
}

test('slots granted by a statement whose answer was lost are released', async () => {
  const { value, subject } = await aKey()
  const link = losingAnswers()
  const { batcher } = aBatcher({ sql: link.sql, slots: 5 })
  const [held] = await times(2, () => batcher.admit(value, address))
  link.broken = true
  expect(await repeatedly(batcher, value, 10)).toBe(10)
  held?.releaseSlot()
  link.broken = false
  expect(granted(await times(6, () => batcher.admit(value, address)))).toBe(4)
  expect(Object.values(await slotsOf(subject))).toEqual([5])
})

test('slots released by a statement whose answer was lost are not released twice', async () => {
  const { value, subject } = await aKey()
  const link = losingAnswers()
  const { batcher } = aBatcher({ sql: link.sql, slots: 5 })
  const held = await times(5, () => batcher.admit(value, address))
  link.broken = true
  held[0]?.releaseSlot()
  held[1]?.releaseSlot()
  await batcher.admit(value, address).catch(() => undefined)
  link.broken = false
  expect(granted(await times(5, () => batcher.admit(value, address)))).toBe(2)
  expect(Object.values(await slotsOf(subject))).toEqual([5])
})

test('the resync after a failure does not change slots of other processes', async () => {
  const { value, subject } = await aKey()
  const link = losingAnswers()
  const [shaky, steady] = [aBatcher({ sql: link.sql }), aBatcher()]
  await times(3, () => steady.batcher.admit(value, address))
  await times(2, () => shaky.batcher.admit(value, address))
  link.broken = true
  await shaky.batcher.admit(value, address).catch(() => undefined)
  link.broken = false
  await shaky.batcher.admit(value, address)
  expect(await slotsOf(subject)).toEqual({ [steady.processId]: 3, [shaky.processId]: 3 })
})

test('slots lost in a crash of the database are written again', async () => {
  const { value, subject } = await aKey()
  const link = losingAnswers()
  const { batcher } = aBatcher({ sql: link.sql })
  await times(4, () => batcher.admit(value, address))
  link.broken = true
  await batcher.admit(value, address).catch(() => undefined)
  await services.pool.query('truncate request_counts')
  link.broken = false
  await batcher.admit(value, address)
  expect(Object.values(await slotsOf(subject))).toEqual([5])
})

test('requests that arrive during a failing statement are refused with it', async () => {
  const error = new Refusal('service_unavailable')
  const another = new Refusal('service_unavailable', undefined, { message: 'a statement that nobody waits for' })
  const late = Promise.withResolvers<never>()
  let statements = 0
  const fail = () => (++statements === 1 ? late.promise : Promise.reject(another))
  const { batcher } = aBatcher({ sql: { all: fail, one: fail } })
  const first = batcher.admit(undefined, address).catch((reason: unknown) => reason)
  await vi.waitFor(() => expect(statements).toBe(1))
  const second = batcher.admit(undefined, address).catch((reason: unknown) => reason)
  late.reject(error)
  expect(await Promise.all([first, second])).toSatisfy((errors: unknown[]) => errors.every((each) => each === error))
})
