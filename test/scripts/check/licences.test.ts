import { expect, test } from 'vitest'
import { licenceFindings } from '../../../scripts/check/licences.ts'

const findingsOf = (licence: string | undefined) => licenceFindings([{ name: 'paint', version: '1.0.0', licence }], [])

test.for([
  'MIT',
  '(MIT)',
  'MPL-2.0',
  'MIT OR GPL-3.0-only',
  '(GPL-3.0-only OR (MIT AND ISC))',
  'MIT AND (Apache-2.0 OR GPL-2.0-only)',
  'GPL-2.0-only AND MIT OR ISC',
])('%s is allowed', (licence) => {
  expect(findingsOf(licence)).toEqual([])
})

test.for([
  'GPL-3.0-only',
  'LGPL-3.0-or-later',
  'AGPL-3.0-only OR GPL-3.0-only',
  'MIT AND GPL-3.0-only',
  'MIT AND (GPL-2.0-only OR GPL-3.0-only)',
  'MIT OR',
  '(MIT',
  'MIT)',
  'MIT ISC',
  'UNLICENSED',
  'SEE LICENSE IN LICENSE',
  '',
])('%s is refused', (licence) => {
  expect(findingsOf(licence)).toEqual([`paint@1.0.0: ${licence}`])
})

test('a package that states no licence is refused', () => {
  expect(findingsOf(undefined)).toEqual(['paint@1.0.0: states no licence'])
})

test('an exception applies only to its packages, also in a combined licence', () => {
  const exceptions = [{ packages: /^@paint\/lib/, licence: 'LGPL-3.0-or-later', why: 'a library of its own' }]
  const packages = [
    { name: '@paint/lib-linux', version: '1.0.0', licence: 'LGPL-3.0-or-later' },
    { name: '@paint/lib-wasm', version: '1.0.0', licence: 'MIT AND LGPL-3.0-or-later' },
    { name: '@paint/lib-other', version: '1.0.0', licence: 'GPL-3.0-only' },
    { name: 'brush', version: '1.0.0', licence: 'LGPL-3.0-or-later' },
  ]
  expect(licenceFindings(packages, exceptions)).toEqual(['@paint/lib-other@1.0.0: GPL-3.0-only', 'brush@1.0.0: LGPL-3.0-or-later'])
})

test('an exception that no package needs is reported', () => {
  const exceptions = [{ packages: /^gone$/, licence: 'LGPL-3.0-or-later', why: 'it was here once' }]
  expect(licenceFindings([], exceptions)).toEqual(['no package /^gone$/ is LGPL-3.0-or-later any more'])
})
