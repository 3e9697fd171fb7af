import { afterAll, expect, test } from 'vitest'
import { deleteUser } from '../../../../src/domain/access/people/deleteUser.ts'
import { setTimeZone } from '../../../../src/domain/access/people/setTimeZone.ts'
import { contextFor } from '../../../../src/domain/context.ts'
import { aServiceContext, aUser } from '../../../support/factories.ts'
import { issueOf } from '../../../support/refused.ts'
import { testServices } from '../../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)
const { pool } = services

async function aPerson() {
  const { id } = await aUser(services)
  const actor = { kind: 'person', userId: id, sessionId: '' } as const
  return { id, context: { ...contextFor(services, actor), actor } }
}

const zoneOf = async (id: string) => (await pool.query('select time_zone from users where id = $1', [id])).rows[0].time_zone
const changesOf = async (id: string) =>
  (await pool.query(`select before, after from audit_entries where action = 'user.updated' and subject_id = $1 order by id`, [id])).rows

test('each change of the time zone is stored and recorded once', async () => {
  const { id, context } = await aPerson()
  for (const zone of ['Asia/Kolkata', 'Asia/Kolkata', 'UTC', null, null]) {
    await setTimeZone(context, zone)
    expect(await zoneOf(id)).toBe(zone)
  }
  expect(await changesOf(id)).toEqual([
    { before: { timeZone: null }, after: { timeZone: 'Asia/Kolkata' } },
    { before: { timeZone: 'Asia/Kolkata' }, after: { timeZone: 'UTC' } },
    { before: { timeZone: 'UTC' }, after: { timeZone: null } },
  ])
})

const rubbish = [
  '',
  ' ',
  'Europe/Atlantis',
  'europe/berlin',
  'Europe/Berlin ',
  '+02:00',
  'UTC+2',
  'posix/Europe/Berlin',
  'localtime',
  "x'; drop table users --",
  'Europe/Berlin\0',
  'A'.repeat(100_000),
]

test.each(rubbish)('%.30s is not the name of a zone, and changes nothing', async (text) => {
  const { id, context } = await aPerson()
  await setTimeZone(context, 'Europe/Berlin')
  expect(await issueOf(setTimeZone(context, text))).toBe('timeZone: not_allowed')
  expect(await zoneOf(id)).toBe('Europe/Berlin')
})

test('a deleted person has no time zone, and gets none', async () => {
  const { id, context } = await aPerson()
  await setTimeZone(context, 'Europe/Berlin')
  await deleteUser(aServiceContext(services), id)
  await setTimeZone(context, 'Asia/Tokyo')
  expect(await zoneOf(id)).toBeNull()
})
