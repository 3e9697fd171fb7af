import { expect, test } from 'vitest'
import { consequencesOf } from '../../../../src/admin-ui/pages/team/roleRules.ts'
import type { Member } from '../../../../src/admin-ui/pages/team/teamQueries.ts'

const member = {
  workingKeys: 3,
  restKeys: 2,
  shownKeys: [{ id: 'key', name: 'site' }],
  shownWebhooks: [{ id: 'hook', address: 'https://a' }],
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
  const { issuedKeys, shownKeys, shownWebhooks } = consequencesOf({ ...member, role } as unknown as Member, to)
  expect([issuedKeys, shownKeys.length, shownWebhooks.length]).toEqual(told)
})

test('without permission for webhooks no webhooks are listed', () => {
  expect(consequencesOf({ ...member, role: 'ADMIN', shownWebhooks: undefined } as unknown as Member, null).shownWebhooks).toEqual([])
})
