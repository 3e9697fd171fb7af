import { expect, test } from 'vitest'
import { nestsDeeper } from '../../src/graphql/nestsDeeper.ts'

test('brackets in texts and comments are no nesting', () => {
  const text = '['.repeat(500)
  expect(nestsDeeper(`{ viewer { kind } } # ${text}\nfragment F on Query { family(id: "${text}\\"${text}") { id } }`, 3)).toBe(false)
  expect(nestsDeeper(`query ($a: ${'['.repeat(3)}`, 3)).toBe(true)
  expect(nestsDeeper(`{ a(b: "\\"]]\\\\" c: """]\\"""]""") # ]\n b(c: ${'['.repeat(101)} }`, 100)).toBe(true)
  expect(nestsDeeper(`{ viewer(a: ${'['.repeat(3)}`, 3)).toBe(true)
})
