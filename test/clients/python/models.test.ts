import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TypedDocument } from '../../../scripts/generate/clientTypes.ts'
import { pythonModels } from '../../../scripts/generate/pythonModels.ts'
import { pythonModules } from '../../../scripts/generate/pythonModules.ts'
import { docstring, pythonName } from '../../../scripts/generate/pythonNames.ts'

const source = join(import.meta.dirname, '../../../clients/python/atelier_client')

test.each(Object.entries(pythonModules()))('the committed %s matches the service; npm run generate:python updates it', (name, text) => {
  expect(readFileSync(join(source, name), 'utf8')).toBe(text)
})

const anObject = { type: 'object', properties: {} }
const needed = { Moment: { type: 'string' }, Credits: { type: 'number' }, GenerationCallback: anObject, GenerationRequest: anObject }

function modelsOf(schemas: Record<string, object>): string {
  return pythonModels({ paths: {}, components: { schemas: { ...needed, ...schemas } } })
}

function fieldOf(schema: object, required: string[] = []): { declared: string | undefined; made: string | undefined } {
  const text = modelsOf({ Probe: { type: 'object', properties: { aField: schema }, required }, Other: { type: 'object', properties: {} } })
  const probe = text.slice(text.indexOf('class Probe'))
  return { declared: /a_field: (.*)\n/.exec(probe)?.[1], made: /"a_field": (.*),\n/.exec(probe)?.[1] }
}

const json = 'json.get("aField")'

test.each([
  ['str | None = None', json, { type: 'string' }],
  ['float | None = None', json, { anyOf: [{ type: 'number' }, { type: 'null' }] }],
  ['Literal["a", "b"] | None = None', json, { enum: ['a', 'b'] }],
  ['datetime | None = None', `moment(${json})`, { $ref: '#/components/schemas/Moment' }],
  ['date | None = None', `calendar_day(${json})`, { type: 'string', format: 'date' }],
  ['Decimal | None = None', `exact(${json})`, { anyOf: [{ type: 'null' }, { $ref: '#/components/schemas/Credits' }] }],
  ['Other | None = None', `object_of(Other, ${json})`, { $ref: '#/components/schemas/Other' }],
  ['ProbeAField | None = None', `object_of(ProbeAField, ${json})`, { type: 'object', properties: { b: { type: 'string' } } }],
  ['tuple[str | int, ...] | None = None', `listed(${json})`, { type: 'array', items: { type: ['string', 'integer'] } }],
  ['Mapping[str, Any] | None = None', json, { type: 'object', additionalProperties: {} }],
  ['Any = None', json, { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }],
])('an optional field becomes %s', (declared, made, schema) => {
  expect(fieldOf(schema)).toEqual({ declared, made })
})

test('a list or table that an older service does not send is empty', () => {
  expect(fieldOf({ type: 'array', items: { type: 'string' } }, ['aField']).made).toBe(`listed(${json}) or ()`)
  expect(fieldOf({ type: 'object', additionalProperties: { type: 'string' } }, ['aField']).made).toBe(`${json} or {}`)
})

test('an object with all fields of another extends it, and one without is an error', () => {
  const generation = { type: 'object', properties: { state: { type: 'string' } } }
  const started = { type: 'object', properties: { ...generation.properties, replayed: { type: 'boolean' } }, required: ['replayed'] }
  expect(modelsOf({ StartedGeneration: started, Generation: generation })).toMatch(
    /class Generation\(Model\)[\s\S]*class StartedGeneration\(Generation\):\n    replayed: bool\n/,
  )
  const allOf = [{ $ref: '#/components/schemas/Generation' }, { ...started, properties: { replayed: { type: 'boolean' } } }]
  expect(modelsOf({ StartedGeneration: { allOf }, Generation: generation })).toContain(
    'class StartedGeneration(Generation):\n    replayed: bool\n',
  )
  const other = { type: 'object', properties: { state: { type: 'number' } } }
  expect(() => modelsOf({ StartedGeneration: other, Generation: generation })).toThrow('state')
})

test.each([
  ['the document has no Credits', { Credits: undefined }],
  ['#/components/responses/X', { Probe: { type: 'object', properties: { a: { $ref: '#/components/responses/X' } } } }],
  ['function', { Probe: { type: 'object', properties: { a: { type: 'function' } } } }],
])('a schema without an exact class is an error: %s', (words, schemas) => {
  const all = Object.fromEntries(Object.entries({ ...needed, ...schemas }).filter(([, schema]) => schema !== undefined))
  expect(() => pythonModels({ paths: {}, components: { schemas: all } } as TypedDocument)).toThrow(words)
})

test('names and texts are converted to Python style', () => {
  expect(['generationId', 'model3dIds', 'from', 'docUrl'].map(pythonName)).toEqual(['generation_id', 'model3d_ids', 'from_', 'doc_url'])
  expect(() => pythonName('b-c')).toThrow('b-c')
  expect(docstring('A "word"', '  ')).toBe('  """A "word"\n  """\n')
  expect(docstring('\\ """', '')).toBe('"""\\\\ \\"\\"\\"\n"""\n')
  expect(
    Math.max(
      ...docstring('word '.repeat(60).trim(), '    ')
        .split('\n')
        .map(({ length }) => length),
    ),
  ).toBeLessThanOrEqual(100)
})
