import { expect, test } from 'vitest'
import { csvOf } from '../../../../src/admin-ui/ui/table/downloadCsv.ts'

test('cells keep quotes, commas and line breaks', () => {
  expect(
    csvOf(
      ['name', 'credits'],
      [
        ['a "b", c', 1.5],
        ['two\nlines', null],
      ],
    ),
  ).toBe('name,credits\r\n"a ""b"", c",1.5\r\n"two\nlines",\r\n')
})

test.each(['=cmd()', '+1', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '\n=1', ' =1', '＝1'])(
  '%j is exported as text, not as a formula',
  (hostile) => {
    expect(
      csvOf(['name'], [[hostile]])
        .split('\r\n')
        .slice(1)
        .join('\r\n')
        .replace(/^"/, ''),
    ).toMatch(/^'/)
  },
)

test.each([';', '\t'])('a formula behind %j, where some spreadsheets begin a new cell, is exported as text', (separator) => {
  const cells = csvOf(['name'], [[`x${separator} =cmd()`]]).split('\r\n')[1]
  expect(cells?.split(separator)[1]).toBe('\' =cmd()"')
})

test('a negative number stays a number', () => {
  expect(csvOf(['n'], [[-5]])).toBe('n\r\n-5\r\n')
})
