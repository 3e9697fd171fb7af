import { expect, test } from 'vitest'
import { docUrlsAt } from '../../src/contract/docUrl.ts'
import { errorReference, issueReference } from '../../src/contract/errorReference.ts'
import { failureNames, failureTable } from '../../src/contract/failures/failures.ts'
import { refusalTable } from '../../src/contract/refusals/refusals.ts'

const docUrls = docUrlsAt('https://atelier.example')
const entries = errorReference(docUrls)

test('every refusal, class and reason has its own entry', () => {
  const ids = entries.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const expected = [
    ...Object.keys(refusalTable),
    ...Object.keys(failureTable).map((code) => `failure-${code}`),
    ...failureNames().map((name) => name.replace('/', '-')),
  ]
  expect(ids.toSorted()).toEqual(expected.toSorted())
})

test('every documentation URL has the fragment of an entry', () => {
  const ids = new Set(entries.map(({ id }) => id))
  const made = entries.map((entry) =>
    entry.kind === 'refusal' ? docUrls.refusal(entry.code) : docUrls.failure(entry.code, entry.reason ?? 'long_gone'),
  )
  expect(made.map((address) => address.split('#'))).toEqual(entries.map(({ id }) => ['https://atelier.example/docs/errors', id]))
  expect(made.filter((address) => !ids.has(address.split('#')[1] ?? ''))).toEqual([])
})

test('every code, reason and issue is explained in complete sentences', () => {
  const words = [...entries, ...issueReference].flatMap(({ meaning, remedy }) => [meaning, remedy])
  expect(words.filter((text) => !/^[A-Z`].*\.$/s.test(text) || /\s{2}|\n/.test(text))).toEqual([])
})

test('an example is a sent body with the URL of its own entry', () => {
  const led = entries.flatMap(({ id, example }) => (example ? [[id, example.error.docUrl]] : []))
  expect(led).toEqual(led.map(([id]) => [id, `https://atelier.example/docs/errors#${id}`]))
})
