import { buildSchema, parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { readSources } from '../../scripts/readSources.ts'
import { printedSchema } from '../../src/schema/schema.ts'

const schema = buildSchema(printedSchema())
/** Fragments are documents of their own, which others name. */
const documents = documentsOf(readSources('src/admin-ui'))
const fragments = new Map(documents.flatMap(({ text }) => [...text.matchAll(/fragment (\w+) on/g)].map(([, name = '']) => [name, text])))

function documentsOf(sources: ReadonlyMap<string, string>): { path: string; text: string }[] {
  return [...sources].flatMap(([path, source]) => [...source.matchAll(/\bgraphql\(\s*`([^`]*)`/g)].map(([, text = '']) => ({ path, text })))
}

function withFragments(text: string, have = new Set<string>()): string {
  const named = [...text.matchAll(/\.\.\.\s*(?!on\b)(\w+)/g)].map(([, name = '']) => name)
  const missing = [...new Set(named)].filter((name) => !have.has(name) && !new RegExp(`fragment ${name} on`).test(text))
  for (const name of missing) have.add(name)
  return [text, ...missing.map((name) => withFragments(fragments.get(name) ?? '', have))].join('\n')
}

function faultsOf(text: string): string[] {
  const faults = validate(schema, parse(withFragments(text)))
  return faults.map(({ message }) => message).filter((message) => !/^Fragment "\w+" is never used/.test(message))
}

test.each(documents)('what $path asks for is in the schema: $text', ({ text }) => {
  expect(faultsOf(text)).toEqual([])
})

test('the documents of the admin UI are found, fragments of others with them', () => {
  expect(documents.length).toBeGreaterThan(0)
  expect(faultsOf('query { viewer { user { emial } } }')).toEqual(['Cannot query field "emial" on type "User". Did you mean "email"?'])
})
