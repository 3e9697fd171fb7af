import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commands } from '../../../../clients/typescript/src/cli/commands.ts'
import { nearest } from '../../../../clients/typescript/src/cli/nearest.ts'
import { nearestName } from '../../../../src/contract/refusals/nearestName.ts'

const names = commands.map(({ name }) => name)

test.for([
  ['rnu', 'run'],
  ['wiat', 'wait'],
  ['Usage', 'usage'],
  ['cancle', 'cancel'],
  ['xyz', undefined],
])('for the command %s the suggestion is %s', ([typed = '', meant]) => {
  expect(nearest(typed, names)).toBe(meant)
})

test('the command and the service suggest the same names', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abcA'), maxLength: 12 })
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 5 }), (typed, known) => {
      fc.pre(!known.includes(typed))
      expect(nearest(typed, known)).toBe(nearestName(typed, known))
    }),
  )
})
