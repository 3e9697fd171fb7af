import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { createUser } from '../../../../src/domain/access/people/users.ts'
import { pruneSignIns } from '../../../../src/domain/access/sessions/pruneSignIns.ts'
import { signIn } from '../../../../src/domain/access/sessions/signIn.ts'
import { contextFor } from '../../../../src/domain/context.ts'
import { databaseProxyTo } from '../../../support/database/databaseProxy.ts'
import { aUser } from '../../../support/factories.ts'
import { cheapPasswords, testServices } from '../../../support/services.ts'

/** Checks of wrong passwords wait for this. */
let release = Promise.resolve()
const verify = async (typed: string, stored: string | null) => {
  if (typed === 'wrong') await release
  return await cheapPasswords.verify(typed, stored)
}
const { services, clock, databaseUrl, close } = await testServices({ passwords: { ...cheapPasswords, verify } })
afterAll(close)
const context = contextFor(services, { kind: 'system' })
const password = 'correct horse battery'
const { email, id } = await aUser(services, { password })

const home = '198.51.100.7'
beforeEach(() => services.pool.query('truncate auth.sign_in_counts'))

/** The result of an attempt: the person, or the code of the refusal with the seconds to wait. */
async function outcome(typed: string, address: string, name = email, within = context): Promise<string> {
  return await signIn(within, { email: name, password: typed, address }).then(
    ({ userId }) => userId,
    ({ code, retryAfterSeconds }) => (retryAfterSeconds === undefined ? code : `${code} ${retryAfterSeconds}`),
  )
}
function holdChecks() {
  const held = Promise.withResolvers<void>()
  release = held.promise
  return held
}
/** Records this many failures without checking a password. */
const guess = (account: string, address: string) =>
  services.pool
    .query("select begin_sign_in(encode(sha256($1::bytea), 'hex'), $2) as wait", [account, address])
    .then(({ rows }) => rows[0].wait)

test('of 50 concurrent guesses five are checked, also for an unknown address', async () => {
  for (const name of [email, 'nobody@example.test']) {
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => outcome('wrong', home, name)))
    expect(outcomes.filter((each) => each === 'unauthorized')).toHaveLength(5)
    expect(outcomes.filter((each) => each === 'rate_limited 15')).toHaveLength(45)
  }
})

test('another spelling of the same e-mail address has no attempts of its own', async () => {
  const someone = await createUser(context, { email: `ilias-σ@${randomUUID()}.test`, name: 'Ilias', password })
  const ways = [someone.email, someone.email.toUpperCase(), someone.email.replace('i', '\u0130'), ` ${someone.email} `]
  const outcomes = await Promise.all(Array.from({ length: 40 }, (_, nth) => outcome('wrong', home, ways[nth % ways.length])))
  expect(outcomes.filter((each) => each === 'unauthorized')).toHaveLength(5)
})

test('no spelling of an e-mail address reveals whether it has an account', async () => {
  const someone = await createUser(context, { email: `iris@${randomUUID()}.test`, name: 'Iris', password })
  for (const name of [someone.email, `iris@${randomUUID()}.test`]) {
    for (let tries = 0; tries < 5; tries++) await outcome('wrong', home, name)
    expect(await outcome('wrong', home, name.replace('i', '\u0130'))).toBe('rate_limited 15')
  }
})

test('a wrong password is refused before the audit log has it, as for an address without an account', async () => {
  const someone = await aUser(services, { password })
  const entries = () =>
    services.pool.query("select from audit_entries where subject_id = $1 and action = 'user.sign_in_refused'", [someone.id])
  const holder = await services.pool.connect()
  try {
    await holder.query('begin')
    await holder.query('lock table audit_entries in access exclusive mode')
    expect(await outcome('wrong', home, someone.email)).toBe('unauthorized')
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  await vi.waitFor(async () => expect((await entries()).rowCount).toBe(1))
})

test('entries of refused sign-ins take one connection at most while the audit log is slow', async () => {
  const people = await Promise.all(Array.from({ length: 3 }, () => aUser(services, { password })))
  const holder = await services.pool.connect()
  try {
    await holder.query('begin')
    await holder.query('lock table audit_entries in access exclusive mode')
    for (const person of people) expect(await outcome('wrong', home, person.email)).toBe('unauthorized')
    const waiting = async () =>
      (
        await holder.query<{ count: number }>(
          `select count(*)::integer from pg_locks where not granted and relation = 'audit_entries'::regclass`,
        )
      ).rows[0]?.count
    await vi.waitFor(async () => expect(await waiting()).toBe(1))
  } finally {
    await holder.query('rollback')
    holder.release()
  }
})

test('pauses double up to 15 minutes, and the right password is refused during a pause', async () => {
  const waits: number[] = []
  for (let tries = 0; tries < 4; tries++) await guess(email, home)
  for (let tries = 0; tries < 8; tries++) {
    expect(await guess(email, home)).toBe(0)
    const wait = await guess(email, home)
    waits.push(wait)
    await clock.advance(wait * 1000)
  }
  expect(await guess(email, home)).toBe(0)
  expect(await outcome(password, home)).toBe('rate_limited 900')
  await clock.advance(900_000)
  // One of the attempts has expired by then.
  expect(waits).toEqual([15, 30, 60, 120, 240, 480, 480, 900])
  expect(await outcome(password, home)).toBe(id)
  expect(await outcome('wrong', home)).toBe('unauthorized')
})

test('guesses from other addresses do not lock out a person at an address where they signed in before', async () => {
  expect(await outcome(password, home)).toBe(id)
  for (let address = 0; address < 60; address++) await guess(email, `203.0.113.${address}`)
  expect(await outcome(password, '203.0.113.200')).toMatch(/^rate_limited /)
  expect(await outcome(password, home)).toBe(id)
})

test('an address that tries many accounts is slowed too', async () => {
  for (let account = 0; account < 30; account++) await guess(`person${account}@x.test`, home)
  expect(await guess('one.more@x.test', home)).toBe(5)
  expect(await guess('one.more@x.test', '198.51.100.8')).toBe(0)
})

test('a flood from other addresses does not delay a person at an address where they signed in before', async () => {
  expect(await outcome(password, home)).toBe(id)
  const checks = holdChecks()
  const flood = Array.from({ length: 40 }, (_, nth) => outcome('wrong', `203.0.113.${nth}`, `person${nth}@x.test`))
  expect(await Promise.any(flood)).toMatch(/^too_many_concurrent/)
  expect(await outcome(password, home)).toBe(id)
  checks.resolve()
  await Promise.all(flood)
})

test('an attempt that is refused without a check counts for its address, but not for the account', async () => {
  const checks = holdChecks()
  let refused = 0
  const attempts = Array.from({ length: 30 }, async (_, nth) => {
    const answer = await outcome('wrong', home, `person${nth}@x.test`)
    if (answer.startsWith('too_many_concurrent')) refused += 1
    if (refused === 8) checks.resolve()
    return answer
  })
  const outcomes = await Promise.all(attempts)
  expect(outcomes.filter((each) => each === 'unauthorized')).toHaveLength(22)
  expect(await guess('one.more@x.test', home)).toBe(5)
  const { rows } = await services.pool.query(`select sum(tries)::integer as tries from auth.sign_in_counts where subject like 'account:%'`)
  expect(rows).toEqual([{ tries: 22 }])
})

test('an IPv6 /48 that guesses from many /64s is slowed as a whole, and other networks are not', async () => {
  const from = (nth: number, network = 1) => `2001:db8:${network}:${nth.toString(16)}::/64`
  for (let nth = 0; nth < 60; nth++) expect(await guess(`person${nth}@x.test`, from(nth))).toBe(0)
  expect(await guess('one.more@x.test', from(61))).toBe(5)
  expect(await guess('one.more@x.test', from(61, 2))).toBe(0)
})

test('concurrent sign-ins from one address count once each and do not delay each other', async () => {
  expect(await guess('first@x.test', home)).toBe(0)
  // An attempt that waited for the lock began before the count of the other.
  await clock.advance(-5)
  expect(await guess('second@x.test', home)).toBe(0)
  await clock.advance(5)
  const { rows } = await services.pool.query(`select tries from auth.sign_in_counts where subject = 'address:' || $1`, [home])
  expect(rows).toEqual([{ tries: 2 }])
})

test('attempt counts expire', async () => {
  for (let tries = 0; tries < 5; tries++) await guess(email, home)
  await clock.advance(3 * 24 * 3600 * 1000)
  expect(await pruneSignIns(context)).toBe(3)
  expect((await services.pool.query('select from auth.sign_in_counts')).rowCount).toBe(0)
})

test('while the database is unavailable a sign-in is not refused as a wrong password', async () => {
  const gate = await databaseProxyTo(databaseUrl)
  const cut = await testServices({ databaseUrl: gate.url, clock })
  gate.closeConnections()
  void gate.refuseConnections(1000)
  await expect(signIn(contextFor(cut.services, { kind: 'system' }), { email, password, address: home })).rejects.toMatchObject({
    code: 'service_unavailable',
  })
  await cut.close()
})

test('a flood of attempts leaves database connections for other requests', async () => {
  const narrow = await testServices({ databaseUrl, clock, poolMax: 4 })
  const inside = contextFor(narrow.services, { kind: 'system' })
  // The attempts are in a pause, so no password is checked.
  for (let account = 0; account < 30; account++) await guess(`person${account}@x.test`, home)
  const attempts = Array.from({ length: 300 }, (_, nth) => outcome('wrong', home, `one.more${nth}@x.test`, inside))
  await Promise.race(attempts)
  expect(narrow.services.pool.waitingCount).toBeLessThan(5)
  await Promise.all(attempts)
  await narrow.close()
})
