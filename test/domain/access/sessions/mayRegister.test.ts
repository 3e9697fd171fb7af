import { expect, test } from 'vitest'
import { mayRegister } from '../../../../src/domain/access/sessions/mayRegister.ts'

test.each([
  ['https://accounts.google.com', false],
  ['https://login.microsoftonline.com/common/v2.0', false],
  ['https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0', false],
  ['https://appleid.apple.com', false],
  ['https://login.microsoftonline.com/5d2a4f0e-0000-4000-8000-000000000000/v2.0', true],
  ['https://id.example.com/realms/studio', true],
])('without allowed domains a public issuer registers nobody: %s', (issuer, may) => {
  expect(mayRegister({ issuer }, 'ada@example.com')).toBe(may)
  expect(mayRegister({ issuer, allowedDomains: ['example.com'] }, 'ada@example.com')).toBe(true)
})
