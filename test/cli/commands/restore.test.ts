import { expect, test } from 'vitest'
import { restore } from '../../../src/cli/commands/restore.ts'

test('a copy beside a living deployment is not given the storage of that one', async () => {
  expect(await restore(['--from', '/nowhere', '--as-copy', '--storage-in-place'])).toBe(2)
})

test.each(['--as-copy', '--fail-open-work', '--pause-webhooks'])(
  'objects alone are not brought back with %s, which nothing would do',
  async (flag) => {
    expect(await restore(['--from', '/nowhere', '--objects-only', flag])).toBe(2)
  },
)
