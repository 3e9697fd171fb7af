import { buildSchema, parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { readSources } from '../../scripts/check/readSources.ts'
import { checkComplexity } from '../../src/graphql/checkComplexity.ts'
import { documentLimits, operationLimits } from '../../src/graphql/documentLimits.ts'
import { printedSchema, schema as servedSchema } from '../../src/schema/schema.ts'

const schema = buildSchema(printedSchema())
/** Fragments are separate documents that others use. */
const documents = documentsOf(readSources('src/admin-ui'))
const fragments = new Map(documents.flatMap(({ text }) => [...text.matchAll(/fragment (\w+) on/g)].map(([, name = '']) => [name, text])))

function documentsOf(sources: ReadonlyMap<string, string>): { path: string; text: string }[] {
  return [...sources].flatMap(([path, source]) =>
    [...source.matchAll(/(?:\bgraphql\(|Document =)\s*`([^`]*)`/g)].map(([, text = '']) => ({ path, text })),
  )
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

test.each(documents)('every field of a document in $path is in the schema: $text', ({ text }) => {
  expect(faultsOf(text)).toEqual([])
})

test('the documents of the admin UI are found, including shared fragments', () => {
  expect(documents.length).toBeGreaterThan(0)
  expect(faultsOf('query { viewer { user { emial } } }')).toEqual(['Cannot query field "emial" on type "User". Did you mean "email"?'])
})

test('the documents of the admin UI use at most half of the document limits of a person', () => {
  const whole = { document: { ...documentLimits }, operation: { ...operationLimits.person } }
  const halved = (of: Record<string, number>) => Object.fromEntries(Object.entries(of).map(([name, most]) => [name, most / 2]))
  const { connections } = operationLimits.person
  try {
    Object.assign(documentLimits, halved(documentLimits))
    Object.assign(operationLimits.person, halved(operationLimits.person), { connections })
    const refused = documents.map(({ path, text }) => [path, checkComplexity(servedSchema, parse(withFragments(text)), 'person')?.message])
    expect(refused.filter(([, message]) => message !== undefined)).toEqual([])
  } finally {
    Object.assign(documentLimits, whole.document)
    Object.assign(operationLimits.person, whole.operation)
  }
})

test('a document with thirty pages of history is refused to a person, and one with two is not', () => {
  const history = documents.find(({ text }) => text.includes('query History('))?.text ?? ''
  const [, fields = ''] = /(nodes \{[^]*?)\n {8}lookedBackTo/.exec(history) ?? []
  const pages = (count: number) =>
    parse(
      `query ($id: ID!) { team(id: $id) { ${Array.from({ length: count }, (_, index) => `a${index}: generations(first: 50) { ${fields} }`).join(' ')} } }`,
    )
  expect(checkComplexity(servedSchema, pages(2), 'person')).toBeUndefined()
  for (const count of [3, 15, 30]) expect(checkComplexity(servedSchema, pages(count), 'person')?.code).toBe('invalid_request')
})
