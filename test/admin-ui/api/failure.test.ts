import { CombinedError } from 'urql'
import { expect, test } from 'vitest'
import { failureOf } from '../../../src/admin-ui/api/failure.ts'

const response = new Response(null, { headers: { 'X-Request-Id': 'req_1' } })

test('a refusal keeps its message and its request id', () => {
  const error = new CombinedError({
    graphQLErrors: [{ message: 'No.', extensions: { code: 'cost_above_limit', details: { credits: 2 } } }],
    response,
  })
  expect(failureOf(error)).toEqual({
    code: 'cost_above_limit',
    message: 'No.',
    requestId: 'req_1',
    retryable: false,
    details: { credits: 2 },
  })
})

test('the message of a field issue replaces that of the request', () => {
  const details = { issues: [{ path: ['name'], message: 'Takes 1 to 100 characters.' }] }
  const error = new CombinedError({ graphQLErrors: [{ message: 'Bad.', extensions: { code: 'invalid_request', details } }], response })
  expect(failureOf(error)).toMatchObject({ message: 'Takes 1 to 100 characters.' })
})

test('a request without an answer is reported as an unreachable server', () => {
  expect(failureOf(new CombinedError({ networkError: new TypeError('fetch failed') }))).toMatchObject({
    code: 'unreachable',
    requestId: undefined,
    retryable: true,
  })
})

test.each([
  'Cannot query field "nameOfPet" on type "User".',
  'Unknown argument "b" on field "Query.viewer".',
  'Unknown type "Strange". Did you mean "String"?',
  'Value "TEAM_MOVED" does not exist in "AuditAction" enum.',
  'Field "membersMayRun" is not defined by type "SetTeamRunsInput".',
])('a process of another release, which says %s, is not called faulty', (message) => {
  const error = new CombinedError({ graphQLErrors: [{ message, extensions: { code: 'invalid_request' } }], response })
  expect(failureOf(error)).toMatchObject({ code: 'other_version', requestId: 'req_1', retryable: true })
})
