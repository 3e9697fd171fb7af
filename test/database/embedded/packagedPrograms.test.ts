import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packagedPrograms } from '../../../src/database/embedded/packagedPrograms.ts'

test('on this machine the programs are there', () => {
  expect(existsSync(join(packagedPrograms(), 'bin/postgres'))).toBe(true)
})

test.each([
  [
    { platform: 'linux', arch: 'x64', hasGlibc: false },
    'the embedded PostgreSQL needs glibc, and this system has none, like Alpine: set DATABASE_URL',
  ],
  [{ platform: 'win32', arch: 'x64', hasGlibc: false }, 'there is no embedded PostgreSQL for win32-x64: set DATABASE_URL'],
  [{ platform: 'freebsd', arch: 'arm64', hasGlibc: false }, 'there is no embedded PostgreSQL for freebsd-arm64: set DATABASE_URL'],
])('%o has none, and the message says what to do', (system, message) => {
  expect(() => packagedPrograms(system)).toThrow(message)
})
