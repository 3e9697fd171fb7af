import { expect, test } from 'vitest'
import { documentOf } from '../../../src/cli/doctor/printResults.ts'
import { startFault } from '../../../src/cli/doctor/startFault.ts'
import { DatabaseStartError } from '../../../src/database/databaseStartError.ts'

const unreachable = (reason: string, code?: string) => {
  const cause = Object.assign(new Error(reason), { code })
  return new DatabaseStartError(`the database cannot be reached: ${reason}`, { cause })
}

test.each([
  ['a refused connection', unreachable('connect ECONNREFUSED', 'ECONNREFUSED'), 'database', 'Start PostgreSQL'],
  ['a server that does not answer', unreachable('timeout expired'), 'database', 'Start PostgreSQL'],
  ['a server without a free connection', unreachable('too many clients already', '53300'), 'connections', 'Lower DATABASE_POOL_MAX'],
  ['a wrong password', unreachable('password authentication failed', '28P01'), 'start', 'Correct what the line names'],
  ['an unknown database', unreachable('database "x" does not exist', '3D000'), 'start', 'Correct what the line names'],
  ['wrong settings', new Error('STORAGE_URL is not a folder'), 'start', 'Correct what the line names'],
  ['a value that is no error', 'broken', 'start', 'Correct what the line names'],
])('%s is a fault of the check that has its advice', (_case, error, name, next) => {
  expect(documentOf(startFault(error))).toMatchObject({ name, ok: false, next: expect.stringContaining(next) })
})

test('a database without a free connection is not called unreachable', () => {
  expect(startFault(unreachable('too many clients already', '53300')).detail).toBe(
    'PostgreSQL accepts no more connections: too many clients already',
  )
})
