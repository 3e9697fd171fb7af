import { expect, test } from 'vitest'
import { restore } from '../../../src/cli/commands/restore.ts'

test('a copy beside a running deployment cannot use its storage', async () => {
  expect(await restore(['--from', '/nowhere', '--as-copy', '--storage-in-place'])).toBe(2)
})

test.each(['--as-copy', '--fail-open-work', '--pause-webhooks'])(
  'a restore of objects only refuses %s, which would have no effect',
  async (flag) => {
    expect(await restore(['--from', '/nowhere', '--objects-only', flag])).toBe(2)
  },
)
