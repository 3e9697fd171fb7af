import fc from 'fast-check'
import type { Known } from './requests.ts'

/** The headers of an admitted request. */
export function headersOf({ keys, etags }: Known): fc.Arbitrary<Record<string, string>> {
  const authorization = fc.constant(`Bearer ${keys.own}`)
  const keyed = fc.oneof(
    fc.nat({ max: 20 }).map((number) => `start-${number}`),
    fc.uuid(),
  )
  const optional = { 'idempotency-key': keyed, 'if-none-match': fc.constantFrom(...etags, '"x"', '*') }
  return fc.record({ authorization, ...optional }, { requiredKeys: ['authorization'], noNullPrototype: true })
}

/** The same with one or two odd headers. */
export function oddHeaders(known: Known): fc.Arbitrary<Record<string, string>> {
  const { keys } = known
  // Any bytes of a header value except line ends.
  const bytes = fc.string({ maxLength: 40, unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) })
  const odd: Record<string, fc.Arbitrary<string>> = {
    authorization: fc.constantFrom(
      '',
      'Bearer',
      'Bearer ',
      'Basic eDp5',
      `bearer ${keys.own}`,
      `Bearer ${keys.own}x`,
      `Bearer ${keys.others}`,
      'Bearer é',
    ),
    'content-type': fc.oneof(contentTypes, bytes),
    'content-encoding': fc.constantFrom('identity', 'gzip', 'br', 'deflate, gzip', ''),
    'idempotency-key': fc.oneof(fc.constantFrom('', ' ', 'x'.repeat(255), 'x'.repeat(256), '\t', 'é', 'a, b', '__proto__'), bytes),
    'if-none-match': fc.oneof(fc.constantFrom('', '"', 'W/', '*,*', ','.repeat(5000), `"${'x'.repeat(5000)}"`), bytes),
    accept: fc.constantFrom('text/html', 'image/*', '', 'application/xml;q=0', '*'),
    'x-request-id': bytes,
    'x-http-method-override': fc.constantFrom('DELETE', 'PUT'),
    'x-forwarded-for': fc.constantFrom('127.0.0.1', '::', 'x'),
    range: fc.constantFrom('bytes=0-1', 'bytes=5-1', 'x'),
  }
  const single = fc.oneof(...Object.entries(odd).map(([name, values]) => values.map((value) => ({ [name]: value }))))
  const strange = fc.array(single, { minLength: 1, maxLength: 2 }).map((each): Record<string, string> => Object.assign({}, ...each))
  return fc.tuple(headersOf(known), strange).map(([usual, others]) => ({ ...usual, ...others }))
}

const contentTypes = fc.constantFrom(
  ...[
    '',
    'application/json; charset=utf-8',
    'application/json;charset=latin1',
    'APPLICATION/JSON',
    'application/json;',
    'application/jsonp',
  ],
  ...[
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'json',
    ';',
    '*/*',
  ],
)
