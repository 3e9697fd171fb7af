import { expect, test } from 'vitest'
import { explainReply, outcomeOf, reasonOf, showReply } from '../../../../src/admin-ui/pages/deliveries/explainReply.ts'

const reply = (refusalText: string | null, responseCode: number | null = null, responseSnippet: string | null = null) => ({
  refusalText,
  responseCode,
  responseSnippet,
})

test('the reason is separated from the response bytes, even when these look like a reason', () => {
  expect(reasonOf(reply('answered 500: oh: no', 500, 'oh: no'))).toBe('answered 500')
  expect(reasonOf(reply('answered 500: answered 500', 500, 'answered 500'))).toBe('answered 500')
  expect(reasonOf(reply('connection refused'))).toBe('connection refused')
  expect(reasonOf(reply(null, 204))).toBeNull()
})

test.each([
  [reply(null, 204), 'The receiver answered 204 and has the event.', undefined],
  [reply(null), 'No attempt has ended yet.', undefined],
  [reply('answered 503', 503), 'The receiver answered 503; only an answer from 200 to 299 is success.', /has an error/],
  [reply('answered 404', 404), 'The receiver answered 404; only an answer from 200 to 299 is success.', /Nothing exists at this address/],
  [reply('answered 418', 418), 'The receiver answered 418; only an answer from 200 to 299 is success.', /refused the request/],
  [reply('redirect to https://x.test not followed', 302), 'Redirect to https://x.test not followed.', /Add a webhook/],
  [reply('no answer within 10 s'), 'No answer within 10 s.', /then process the event/],
  [reply('TLS certificate expired'), 'TLS certificate expired.', /trust/],
  [reply('cut short on our side'), 'Cut short on our side.', /does not count as a retry/],
  [reply('something of tomorrow'), 'Something of tomorrow.', undefined],
])('the explanation of %j is specific', (given, happened, means) => {
  const words = explainReply(given)
  expect([words.happened, words.means === undefined]).toEqual([happened, means === undefined])
  expect(words.means ?? '').toMatch(means ?? /^$/)
})

test('a row shows a short outcome', () => {
  expect([reply(null, 204), reply(null), reply('answered 500: x', 500, 'x')].map(outcomeOf)).toEqual(['answered 204', '–', 'answered 500'])
})

test.each([
  ['{"a":1}', '{\n  "a": 1\n}'],
  ['no\\nsuch\\thook', 'no\nsuch\thook'],
  ['C:\\\\hooks', 'C:\\hooks'],
  ['{"cut', '{"cut'],
  ['bytes \\xff', 'bytes \\xff'],
])('the snippet %j is shown as %j', (snippet, shown) => {
  expect(showReply(snippet)).toBe(shown)
})
