import { GraphQLError } from 'graphql'
import { expect, test } from 'vitest'
import { docUrlsAt } from '../../src/contract/docUrl.ts'
import { Refusal, type RefusalCode, refusalTable } from '../../src/contract/refusals/refusals.ts'
import { presentResult } from '../../src/graphql/presentResult.ts'
import { refusalHeaders } from '../../src/transport/refusalHeaders.ts'

const codes = Object.keys(refusalTable) as RefusalCode[]
const alsoLater: RefusalCode[] = ['file_not_ready', 'queue_unavailable', 'idempotency_in_progress']
const log = { debug() {}, info() {}, warn() {}, error() {} }

test.each(codes)('%s has Retry-After exactly if the contract says so', (code) => {
  const { http } = refusalTable[code]
  const hasRetryAfter = http === 429 || http === 503 || alsoLater.includes(code)
  const seconds = refusalHeaders(new Refusal(code))['Retry-After'] ?? 'nothing'
  expect(seconds).toMatch(hasRetryAfter ? /^[1-9]\d*$/ : /^nothing$/)
})

test('the delay in the details of a refusal overrides the default, in whole seconds of at least one', () => {
  const waiting = (retryAfterSeconds: number) =>
    refusalHeaders(new Refusal('rate_limited', { limit: 600, retryAfterSeconds }))['Retry-After']
  expect([waiting(42), waiting(0.2), waiting(1.5)]).toEqual(['42', '1', '2'])
})

test.each(['service_unavailable', 'queue_unavailable', 'unauthorized'] as const)(
  'GraphQL answers %s with the same headers as REST',
  (code) => {
    const refusal = new Refusal(code)
    const errors = [new GraphQLError('x', { cause: refusal })]
    expect(presentResult({ errors }, { log, docUrls: docUrlsAt('http://atelier.test'), requestId: 'req_x' })).toMatchObject({
      status: refusal.http,
      headers: refusalHeaders(refusal),
    })
  },
)
