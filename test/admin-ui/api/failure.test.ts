import { buildSchema, graphqlSync } from 'graphql'
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

const other = buildSchema('enum Fruit { APPLE } input Basket { fruit: Fruit } type Query { count(of: Basket, fruit: Fruit): Int }')

test.each<[source: string, variableValues: Record<string, unknown>]>([
  ['{ weight }', {}],
  ['{ count(colour: 1) }', {}],
  ['query ($of: Bowl) { count(of: $of) }', {}],
  ['{ count(fruit: PEAR) }', {}],
  ['{ count(of: { nut: true }) }', {}],
  ['query ($fruit: Fruit) { count(fruit: $fruit) }', { fruit: 'PEAR' }],
  ['query ($of: Basket) { count(of: $of) }', { of: { fruit: 'PEAR' } }],
  ['query ($of: Basket!) { count(of: $of) }', { of: { nut: true } }],
])('a query that only another release can answer is reported as other_version: %s with %j', (source, variableValues) => {
  const { errors = [] } = graphqlSync({ schema: other, source, variableValues })
  const graphQLErrors = errors.map(({ message }) => ({ message, extensions: { code: 'invalid_request' } }))
  expect(failureOf(new CombinedError({ graphQLErrors, response }))).toMatchObject({ code: 'other_version', requestId: 'req_1' })
})

test('a value that no release takes is refused with its message', () => {
  const { errors = [] } = graphqlSync({ schema: other, source: 'query ($of: Basket) { count(of: $of) }', variableValues: { of: 'all' } })
  expect(failureOf(new CombinedError({ graphQLErrors: [...errors], response })).message).toContain('has invalid value')
})
