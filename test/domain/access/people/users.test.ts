import { afterAll, expect, test } from 'vitest'
import { newId } from '../../../../src/contract/ids.ts'
import { createUser, findUser, updateUser } from '../../../../src/domain/access/people/users.ts'
import { accountOf } from '../../../../src/domain/credits/grantCredits.ts'
import { aServiceContext } from '../../../support/factories.ts'
import { issueOf } from '../../../support/refused.ts'
import { testServices } from '../../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)
const context = () => aServiceContext(services)

test('a new person has an empty account, no subscription and a hashed password', async () => {
  const user = await createUser(context(), { email: ' ada@example.test ', name: 'Ada', password: 'correct horse' })
  expect(user).toMatchObject({ email: 'ada@example.test', name: 'Ada', subscriptionActive: false })
  expect(await services.passwords.verify('correct horse', user.passwordHash)).toBe(true)
  expect(await accountOf(context(), { userId: user.id })).toMatchObject({ balance: 0, held: 0, teamId: null })
})

test('an e-mail address belongs to one person, case-insensitive, also for concurrent creations', async () => {
  const attempts = ['one@example.test', 'ONE@example.test', 'One@Example.test'].map((email) =>
    createUser(context(), { email, name: 'One' }),
  )
  const outcomes = await Promise.allSettled(attempts)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await issueOf(createUser(context(), { email: 'oNe@example.test', name: 'Two' }))).toBe('email: conflict')
  const { rows } = await services.pool.query(
    'select count(*)::integer as accounts, (select count(*)::integer from users) as users from credit_accounts',
  )
  expect(rows[0].accounts).toBe(rows[0].users)
})

test.each(['', 'ada', '@example.test', 'ada@', 'a b@example.test', 'ada@ex@ample', `${'a'.repeat(251)}@b.c`, 'ad\0a@b.c', 'ada@b.c\ud800'])(
  'the address %j is refused',
  async (email) => {
    expect(await issueOf(createUser(context(), { email, name: 'Ada' }))).toMatch(/^email: /)
  },
)

test.each([
  ['short', 'password: too_small'],
  ['x'.repeat(201), 'password: too_long'],
  ['long enough\0', 'password: bad_format'],
])('the password %j is refused', async (password, issue) => {
  expect(await issueOf(createUser(context(), { email: 'pass@example.test', name: 'Ada', password }))).toBe(issue)
})

test('an update changes only the given fields', async () => {
  const { id } = await createUser(context(), { email: 'grace@example.test', name: 'Grace', subscriptionActive: true })
  expect(await updateUser(context(), { id, name: 'Grace H.' })).toMatchObject({ name: 'Grace H.', subscriptionActive: true })
  expect(await updateUser(context(), { id, subscriptionActive: false, name: null })).toMatchObject({
    name: 'Grace H.',
    subscriptionActive: false,
  })
  expect(await issueOf(updateUser(context(), { id: newId('user'), name: 'X' }))).toBe('id: not_allowed')
  expect(await findUser(context(), 'user_\0')).toBeNull()
})
