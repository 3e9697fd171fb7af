import { afterAll, expect, test } from 'vitest'
import { newId } from '../../../src/contract/ids.ts'
import { checkBooks } from '../../../src/domain/credits/checkBooks.ts'
import { accountOf, grantCredits, loadAccounts } from '../../../src/domain/credits/grantCredits.ts'
import { listLedger } from '../../../src/domain/credits/listLedger.ts'
import { aServiceContext, aTeam, aUser } from '../../support/factories.ts'
import { issueOf, refused } from '../../support/refused.ts'
import { testServices } from '../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)
const context = () => aServiceContext(services)
const gift = { credits: 12.34, note: 'welcome', idempotencyKey: 'one' }

test('a grant adds one ledger line and exactly its amount to the account', async () => {
  const user = await aUser(services)
  expect(await grantCredits(context(), { userId: user.id, ...gift })).toMatchObject({ balance: 1234, held: 0 })
  const account = await accountOf(context(), { userId: user.id })
  const lines = await listLedger(context(), account?.id ?? '', { limit: 9, fromTheEnd: false })
  expect(lines).toMatchObject([{ kind: 'grant', amount: 1234, note: 'welcome', generationId: null }])
})

test('concurrent repeats with one idempotency key grant once, and another key grants again', async () => {
  const { team } = await aTeam(services, { credits: 0 })
  await Promise.all(Array.from({ length: 12 }, () => grantCredits(context(), { teamId: team.id, ...gift })))
  expect(await accountOf(context(), { teamId: team.id })).toMatchObject({ balance: 1234 })
  expect(await grantCredits(context(), { teamId: team.id, ...gift, idempotencyKey: 'two' })).toMatchObject({ balance: 2468 })
  expect(await checkBooks(context())).toEqual({ clean: true, faults: [] })
})

test('a repeat with another amount is refused and grants nothing', async () => {
  const { team } = await aTeam(services, { credits: 0 })
  await grantCredits(context(), { teamId: team.id, ...gift })
  const other = grantCredits(context(), { teamId: team.id, ...gift, credits: 12.35 })
  expect(await refused(other)).toEqual({ code: 'idempotency_conflict', details: { idempotencyKey: 'one' } })
  expect(await accountOf(context(), { teamId: team.id })).toMatchObject({ balance: 1234 })
})

test('a repeat is compared with the grant of its own key, whatever was granted since', async () => {
  const { team } = await aTeam(services, { credits: 0 })
  await grantCredits(context(), { teamId: team.id, ...gift })
  await grantCredits(context(), { teamId: team.id, ...gift, credits: 5, idempotencyKey: 'two' })
  expect(await grantCredits(context(), { teamId: team.id, ...gift })).toMatchObject({ balance: 1734 })
  const other = grantCredits(context(), { teamId: team.id, ...gift, credits: 5 })
  expect(await refused(other)).toMatchObject({ code: 'idempotency_conflict' })
})

test('one idempotency key can be used for several accounts, and a repeat is compared with the grant of its own account', async () => {
  const amounts = [12.34, 7.5, 20]
  const teams = await Promise.all(amounts.map(() => aTeam(services, { credits: 0 })))
  for (const [index, credits] of amounts.entries()) {
    const grant = { ...gift, teamId: String(teams[index]?.team.id), idempotencyKey: 'shared' }
    expect(await grantCredits(context(), { ...grant, credits })).toMatchObject({ balance: credits * 100 })
    expect(await grantCredits(context(), { ...grant, credits })).toMatchObject({ balance: credits * 100 })
    for (const other of amounts.filter((each) => each !== credits))
      expect(await refused(grantCredits(context(), { ...grant, credits: other }))).toMatchObject({ code: 'idempotency_conflict' })
  }
})

test('the audit log has each grant once, and no repeat', async () => {
  const { team } = await aTeam(services, { credits: 0 })
  for (const idempotencyKey of ['one', 'one', 'two']) await grantCredits(context(), { teamId: team.id, ...gift, idempotencyKey })
  const entries = `select from audit_entries where team_id = $1 and action = 'credits.granted'`
  expect((await services.pool.query(entries, [team.id])).rowCount).toBe(2)
})

test.each([
  [{ credits: 0 }, 'credits: too_small'],
  [{ credits: -5 }, 'credits: too_small'],
  [{ credits: 0.001 }, 'credits: bad_format'],
  [{ credits: 1_000_000_000.01 }, 'credits: too_big'],
  [{ credits: Number.NaN }, 'credits: too_small'],
  [{ note: 'a\0' }, 'note: bad_format'],
  [{ note: 'x'.repeat(501) }, 'note: too_long'],
  [{ idempotencyKey: '' }, 'idempotencyKey: too_small'],
  [{ idempotencyKey: '\ud800' }, 'idempotencyKey: bad_format'],
  [{ teamId: newId('team') }, 'teamId: not_allowed'],
  [{ teamId: 'team_\0' }, 'teamId: not_allowed'],
  [{ teamId: undefined }, 'teamId: required'],
  [{ teamId: undefined, userId: newId('user') }, 'userId: not_allowed'],
  [{ teamId: undefined, userId: 'user_\0' }, 'userId: not_allowed'],
  [{ userId: newId('user') }, 'teamId: conflict'],
] as const)('%j is refused and grants nothing', async (change, issue) => {
  const { team } = await aTeam(services, { credits: 0 })
  expect(await issueOf(grantCredits(context(), { teamId: team.id, ...gift, ...change }))).toBe(issue)
  expect(await accountOf(context(), { teamId: team.id })).toMatchObject({ balance: 0 })
})

test('a deleted person gets no credits', async () => {
  const user = await aUser(services)
  await services.pool.query('update users set deleted_at = present() where id = $1', [user.id])
  expect(await issueOf(grantCredits(context(), { userId: user.id, ...gift }))).toBe('userId: not_allowed')
})

test('every read of an account returns its present amounts', async () => {
  const { team } = await aTeam(services, { credits: 1 })
  const reader = context()
  const { id } = (await accountOf(reader, { teamId: team.id })) ?? { id: '' }
  const balances = async () => [(await accountOf(reader, { teamId: team.id }))?.balance, (await loadAccounts(reader, [id]))[0]?.balance]
  const add = () => services.pool.query('update credit_accounts set balance = balance + 1 where id = $1', [id])
  await add()
  expect(await balances()).toEqual([101, 101])
  await add()
  expect((await loadAccounts(reader, [id]))[0]?.balance).toBe(102)
})
