import { validateHeaderValue } from 'node:http'
import { expect, test } from 'vitest'
import { contentDisposition } from '../../../src/http/results/contentDisposition.ts'

test.each([
  ['gen_01k.png', 'inline; filename="gen_01k.png"'],
  ['my photo (2).tar.gz', 'inline; filename="my photo (2).tar.gz"'],
  ['Grüße 猫.png', `inline; filename="Gr__e _.png"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%E7%8C%AB.png`],
  ["it's 100%*.png", `inline; filename="it_s 100__.png"; filename*=UTF-8''it%27s%20100%25_.png`],
  ['😀.png', `inline; filename="__.png"; filename*=UTF-8''%F0%9F%98%80.png`],
  ['../../etc/passwd', 'inline; filename="_.._etc_passwd"'],
  ['C:\\boot.ini', 'inline; filename="C__boot.ini"'],
  ['.bashrc', 'inline; filename="bashrc"'],
  ['a"; filename="b.exe', `inline; filename="a__ filename__b.exe"; filename*=UTF-8''a_%3B%20filename%3D_b.exe`],
  ['a\r\nSet-Cookie: x=1\0', `inline; filename="aSet-Cookie_ x_1"; filename*=UTF-8''aSet-Cookie_%20x%3D1`],
  ['photo\u202Egnp.exe', 'inline; filename="photognp.exe"'],
  ['half \uD83D pair', `inline; filename="half _ pair"; filename*=UTF-8''half%20%EF%BF%BD%20pair`],
  ['', 'inline; filename="file"'],
  [' ... ', 'inline; filename="file"'],
  ['\u0000\u200b', 'inline; filename="file"'],
])('the name %j is sent as %s', (fileName, expected) => {
  expect(contentDisposition('inline', fileName)).toBe(expected)
})

test('an attachment has the disposition attachment', () => {
  expect(contentDisposition('attachment', 'a.png')).toBe('attachment; filename="a.png"')
})

test('a long name is shortened and keeps its end', () => {
  const header = contentDisposition('inline', `${'ä'.repeat(1_000_000)}.png`)

  expect(header.length).toBeLessThan(1200)
  expect(header).toMatch(/\.png$/)
})

test('every character makes a valid header', () => {
  for (let code = 0; code <= 0xffff; code += 64) {
    const name = String.fromCharCode(...Array.from({ length: 64 }, (_, offset) => code + offset))
    expect(() => validateHeaderValue('content-disposition', contentDisposition('inline', `x${name}x`))).not.toThrow()
    expect(contentDisposition('inline', name)).toMatch(/^inline; filename="[A-Za-z0-9 ._()-]+"(; filename\*=UTF-8''[A-Za-z0-9%!._~-]+)?$/)
  }
})
