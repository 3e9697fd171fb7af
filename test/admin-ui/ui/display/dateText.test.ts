import { afterEach, expect, test } from 'vitest'
import { dayText, momentText, parseDay, parseMoment } from '../../../../src/admin-ui/ui/display/dateText.ts'
import { chooseTimeZone } from '../../../../src/admin-ui/ui/display/timeZone.ts'

const locales = [
  'en-GB',
  'en-US',
  'en-CA',
  'de',
  'fr',
  'fr-CA',
  'es',
  'pt-BR',
  'it',
  'nl',
  'da',
  'fi',
  'pl',
  'cs',
  'ru',
  'uk',
  'tr',
  'el',
  'es-MX',
  'en-IN',
]
const others = ['ja', 'zh-CN', 'ko', 'ar-EG', 'fa', 'th', 'hi', 'he', 'vi', 'hu', 'lt', 'lv', 'bg', 'hr', 'id']
const days = Array.from({ length: 36 }, (_, index) => new Date(Date.UTC(2026, index % 12, 1 + index * 3)).toISOString().slice(0, 10))

afterEach(() => chooseTimeZone(undefined))

test.each([...locales, ...others])('a day and a moment that the page shows in %s are parsed when typed', (locale) => {
  chooseTimeZone('Europe/Berlin')
  for (const day of days) {
    expect([dayText(day, locale), parseDay(dayText(day, locale), locale)]).toEqual([dayText(day, locale), day])
    for (const time of ['00:00', '09:05', '12:00', '23:30']) {
      const at = `${day}T${time}:00.000Z`
      expect([momentText(at, locale), parseMoment(momentText(at, locale), locale)]).toEqual([momentText(at, locale), at])
    }
  }
})

test.each([
  ['29 Nov 2026', 'en-GB', '2026-11-29'],
  ['29 november 2026', 'en-GB', '2026-11-29'],
  ['Nov 29 2026', 'en-GB', '2026-11-29'],
  ['11/12/2026', 'en-GB', '2026-12-11'],
  ['11/12/2026', 'en-US', '2026-11-12'],
  ['11.12.2026', 'de', '2026-12-11'],
  ['11. dezember 2026', 'de', '2026-12-11'],
  ['2026-11-29', 'en-US', '2026-11-29'],
  ['2026 nov 29', 'en-GB', '2026-11-29'],
])('%s in %s is the day %s', (text, locale, day) => {
  expect(parseDay(text, locale)).toBe(day)
})

test.each(['', '29', '29 Nov', '29 Nov 26', '29 Nov 202', '31 Feb 2026', '13/13/2026', '29 Nox 2026', '1 2 3 2026', '29 Nov 20261'])(
  '%j is no day',
  (text) => {
    expect(parseDay(text, 'en-GB')).toBeUndefined()
  },
)

test.each([
  ['29 Nov 2026, 9:30', '2026-11-29T09:30:00.000Z'],
  ['29 Nov 2026 9:30 pm', '2026-11-29T21:30:00.000Z'],
  ['29 Nov 2026 12:05 am', '2026-11-29T00:05:00.000Z'],
  ['29/11/2026', '2026-11-29T00:00:00.000Z'],
  ['2026-11-29T18:45', '2026-11-29T18:45:00.000Z'],
  ['29 Nov 2026 25:00', undefined],
  ['18:45', undefined],
])('%s is the moment %s', (text, moment) => {
  chooseTimeZone('UTC')
  expect(parseMoment(text, 'en-GB')).toBe(moment)
})
