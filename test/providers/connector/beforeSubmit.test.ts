import { expect, test } from 'vitest'
import { NotSent } from '../../../src/network/trustedRequest.ts'
import { beforeSubmit } from '../../../src/providers/connector/beforeSubmit.ts'

test('every error before the submit is rethrown as NotSent', async () => {
  await expect(beforeSubmit(() => Promise.reject(new Error('reset')))).rejects.toThrow(NotSent)
  const first = new NotSent(new Error('no route'))
  await expect(beforeSubmit(() => Promise.reject(first))).rejects.toBe(first)
  expect(await beforeSubmit(async () => 7)).toBe(7)
})
