import { expect, test } from 'vitest'
import { expiryText, readExpiry } from '../../../../src/admin-ui/pages/keys/expiryText.ts'
import { changesOf, emptyFields, fieldsOf, readCredits, readKeyFields } from '../../../../src/admin-ui/pages/keys/keyForm.ts'
import { describeLinks, describeRunning } from '../../../../src/admin-ui/pages/keys/keyLabels.ts'
import { trialFamily } from '../../../../src/admin-ui/pages/keys/tryKeyCommand.ts'

const now = new Date(2026, 10, 22, 10, 30)

test.each<[string, number | null | undefined]>([
  ['', null],
  ['  ', null],
  ['0', 0],
  [' 250 ', 250],
  ['12.50', 12.5],
  ['12,5', 12.5],
  ['1,000', 1000],
  ['1,000,000.25', 1_000_000.25],
  ['1,00,0', undefined],
  ['1.005', undefined],
  ['-1', undefined],
  ['1e3', undefined],
  ['Infinity', undefined],
  ['ten', undefined],
])('%j is parsed as %s credits', (text, credits) => {
  expect(readCredits(text)).toBe(credits)
})

test.each<[string, Date]>([
  ['2027-01-31', new Date(2027, 0, 31)],
  ['2027-01-31 18:00', new Date(2027, 0, 31, 18)],
  [' 2027-01-31T18:00 ', new Date(2027, 0, 31, 18)],
  ['2027-01-31T18:00:05.250Z', new Date('2027-01-31T18:00:05.250Z')],
  ['Jan 31, 2027, 6:00 PM', new Date(2027, 0, 31, 18)],
  ['31 January 2027', new Date(2027, 0, 31)],
  ['2027-01-31 18:00+05:30', new Date('2027-01-31T12:30:00Z')],
  ['30 days', new Date(now.getTime() + 30 * 86_400_000)],
  ['in 12 hours', new Date(now.getTime() + 12 * 3_600_000)],
  ['1 month', new Date(2026, 11, 22, 10, 30)],
  ['1 Year', new Date(2027, 10, 22, 10, 30)],
])('%j is parsed as a time', (text, moment) => {
  expect(readExpiry(text, now)).toEqual(moment)
})

test.each(['soon', '2027-02-30', '2027-13-01', '31.01.2027', '2027-01-31 25:00', '5', '-3 days', '2027-01-31 6 pm'])(
  '%j is not a valid time',
  (text) => {
    expect(readExpiry(text, now)).toBeUndefined()
  },
)

test('an empty expiry means never', () => {
  expect([readExpiry('', now), readExpiry(' Never ', now)]).toEqual([null, null])
})

test('a formatted expiry is parsed as the same minute', () => {
  expect(readExpiry(expiryText(now), now)).toEqual(now)
})

test('an expiry in the past is reported before it is sent', () => {
  const fields = { ...emptyFields, name: 'a', expiresAt: '2020-01-01' }
  expect(readKeyFields(fields, now).errors['expiresAt']).toBe('This time is in the past.')
})

test('only changed fields are sent, so that changes of others are kept', () => {
  const before = fieldsOf({
    name: 'bot',
    dailyLimitCredits: 5,
    monthlyLimitCredits: null,
    singleLimitCredits: null,
    confirmAboveCredits: null,
    expiresAt: '2099-01-01T00:00:30.000Z',
  })
  const after = { ...before, name: 'bot ', dailyLimitCredits: '' }
  expect(changesOf(before, after, readKeyFields(after, now).settings)).toEqual({ dailyLimitCredits: null })
})

test('counts have correct singular and plural forms', () => {
  expect([0, 1, 2].map(describeRunning)).toEqual([
    'No generation is running.',
    '1 generation is running. It finishes and is charged.',
    '2 generations are running. They finish and are charged.',
  ])
  expect([0, 1, 5, 10_000].map(describeLinks)).toEqual([
    'It holds no working links to results.',
    '1 link to a result stops working at once.',
    '5 links to results stop working at once.',
    '10,000 or more links to results stop working at once.',
  ])
})

test('a key is tried with the sandbox if available, otherwise with the cheapest family within its ceilings', () => {
  const family = (id: string, creditsFrom: number, available = true) => ({ id, creditsFrom, available })
  const families = [family('dear', 9), family('cheap', 2), family('sandbox-image', 3), family('locked', 1, false)]
  expect(trialFamily(families, [null, null])).toBe('sandbox-image')
  expect(trialFamily(families, [2.5, null])).toBe('cheap')
  expect(trialFamily(families, [null, 1])).toBeUndefined()
})
