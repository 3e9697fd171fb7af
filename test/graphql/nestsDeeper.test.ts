import { expect, test } from 'vitest'
import { nestsDeeper } from '../../src/graphql/nestsDeeper.ts'

test('brackets in texts and comments are no nesting', () => {
  const text = '['.repeat(500)
  expect(nestsDeeper(`{ viewer { kind } } # ${text}\nfragment F on Query { family(id: "${text}\\"${text}") { id } }`, 3)).toBe(false)
  expect(nestsDeeper(`{ viewer(a: ${'['.repeat(3)}`, 3)).toBe(true)
})
