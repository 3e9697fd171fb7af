import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeReply, refusalText } from '../../../../src/domain/webhooks/deliveries/escapeReply.ts'

test.each([
  ['plain words & <b>markup</b>', 'plain words & <b>markup</b>'],
  ['grün 日本 🚀', 'grün 日本 🚀'],
  ['two\r\nlines\tand a \\', 'two\\r\\nlines\\tand a \\\\'],
  ['\u001b[31mred\u0007', '\\u{1b}[31mred\\u{7}'],
  ['left\u202eto right\u2069\ufeff', 'left\\u{202e}to right\\u{2069}\\u{feff}'],
  ['line\u2028separator', 'line\\u{2028}separator'],
  ['nul\0', 'nul\\u{0}'],
])('a reply %j is shown as %j', (reply, shown) => {
  expect(escapeReply(Buffer.from(reply))).toBe(shown)
})

test('bytes that are not UTF-8, and a truncated character, are escaped as bytes', () => {
  expect(escapeReply(Buffer.from([0x61, 0xff, 0xc3, 0x28, 0x62]))).toBe('a\\xff\\xc3(b')
  expect(escapeReply(Buffer.from('aé🚀').subarray(0, 5))).toBe('aé\\xf0\\x9f')
})

test('the text of any reply is one line of visible characters', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 256 }), (bytes) => {
      const shown = escapeReply(Buffer.from(bytes)) ?? ''
      return !/[\p{C}\p{Zl}\p{Zp}]/u.test(shown) && shown.isWellFormed()
    }),
  )
})

test('the reason of a failed attempt ends with the reply when there is one', () => {
  expect(refusalText('answered 500', Buffer.from('boom\n'))).toBe('answered 500: boom\\n')
  expect(refusalText('no answer within 10 s', null)).toBe('no answer within 10 s')
  expect(refusalText(null, Buffer.from('ok'))).toBeNull()
  expect(escapeReply(Buffer.alloc(0))).toBeNull()
})
