import { expect, test } from 'vitest'
import { consequencesOf, isWithoutConsequences } from '../../../../src/admin-ui/pages/team/roleRules.ts'
import type { Member } from '../../../../src/admin-ui/pages/team/teamQueries.ts'

const member = {
  workingKeys: 3,
  restKeys: 2,
  shownKeys: [{ id: 'key', name: 'site' }],
  shownWebhooks: [{ id: 'hook', address: 'https://a' }],
  shownAlertSubscriptions: [{ id: 'hook_b', address: 'https://b' }],
  sawCallbackSecret: true,
}

test.each([
  ['ADMIN', null, [3, 1, 1]],
  ['OWNER', null, [3, 1, 1]],
  ['MEMBER', null, [3, 0, 1]],
  ['ADMIN', 'MEMBER', [2, 1, 1]],
  ['OWNER', 'MEMBER', [2, 1, 1]],
  ['OWNER', 'ADMIN', [0, 0, 0]],
  ['ADMIN', 'OWNER', [0, 0, 0]],
  ['MEMBER', 'ADMIN', [0, 0, 0]],
] as const)('%s who becomes %s: keys issued, keys shown and webhooks shown that are told of', (role, to, told) => {
  const consequences = consequencesOf({ ...member, role } as unknown as Member, to)
  const { issuedKeys, shownKeys, shownWebhooks, shownAlertSubscriptions, sawCallbackSecret } = consequences
  expect([issuedKeys, shownKeys.length, shownWebhooks.length]).toEqual(told)
  expect([shownAlertSubscriptions.length, Number(sawCallbackSecret)]).toEqual([told[2], told[2]])
})

test('without permission for webhooks no webhooks are listed', () => {
  expect(consequencesOf({ ...member, role: 'ADMIN', shownWebhooks: undefined } as unknown as Member, null).shownWebhooks).toEqual([])
})

test('a callback secret that was read is a consequence of its own', () => {
  const reader = {
    ...member,
    role: 'ADMIN',
    workingKeys: 0,
    shownKeys: [],
    shownWebhooks: [],
    shownAlertSubscriptions: [],
  } as unknown as Member
  expect(isWithoutConsequences(consequencesOf(reader, null))).toBe(false)
  expect(isWithoutConsequences(consequencesOf({ ...reader, sawCallbackSecret: false }, null))).toBe(true)
})
