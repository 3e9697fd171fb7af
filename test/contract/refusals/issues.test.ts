import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseOrRefuse } from '../../../src/contract/refusals/issues.ts'
import type { Refusal } from '../../../src/contract/refusals/refusals.ts'

const schema = z.strictObject({
  name: z.string().optional(),
  colour: z.enum(['crimson', 'indigo']).optional(),
  items: z.array(z.strictObject({ quantity: z.number() }).nullable()).optional(),
  ways: z.array(z.enum(['by-road', 'by-sea'])).optional(),
})

function issuesOf(input: unknown): unknown {
  try {
    return parseOrRefuse(schema, input, 'body')
  } catch (refusal) {
    return (refusal as Refusal).details?.['issues']
  }
}

test('an unknown field has the nearest field of its object, at any depth', () => {
  const found = issuesOf({ nmae: 'x', other: 1, items: [{ quantity: 1, quantitty: 2 }, null, { quantity: 1, name: 3 }] })
  expect(found).toEqual([
    { in: 'body', path: ['items', 0, 'quantitty'], code: 'unknown_field', message: asked('quantity'), nearest: 'quantity' },
    { in: 'body', path: ['items', 2, 'name'], code: 'unknown_field', message: 'Unknown field.' },
    { in: 'body', path: ['nmae'], code: 'unknown_field', message: asked('name'), nearest: 'name' },
    { in: 'body', path: ['other'], code: 'unknown_field', message: 'Unknown field.' },
  ])
})

test('a value that is not allowed has the nearest allowed value', () => {
  expect(issuesOf({ colour: 'Crimson', ways: ['by-see', 'on foot'] })).toMatchObject([
    {
      path: ['colour'],
      allowed: ['crimson', 'indigo'],
      nearest: 'crimson',
      message: expect.stringMatching(/\. Did you mean "crimson"\?$/),
    },
    { path: ['ways', 0], nearest: 'by-sea' },
    { path: ['ways', 1], message: 'Takes one of: by-road, by-sea.' },
  ])
})

test('the issue of a wrong type names the expected type', () => {
  expect(issuesOf({ name: 7, items: {} })).toMatchObject([{ message: 'Takes a string.' }, { message: 'Takes an array.' }])
})

function asked(name: string): string {
  return `Unknown field. Did you mean "${name}"?`
}
