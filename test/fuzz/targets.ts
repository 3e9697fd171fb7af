import fc from 'fast-check'
import type { Known, Operation } from './requests.ts'
import { schemaAt } from './schemas.ts'
import { oddTexts, valuesOf } from './values.ts'

/** Existing objects for the path of an operation; the last one stays as it is. */
export function idListOf({ operationId }: Operation, known: Known): string[] {
  const { keyIds, webhookIds, endedIds, openIds } = known
  const ids: Record<string, string[]> = {
    getFamily: known.families.map(({ id }) => id),
    getFile: known.imageIds,
    deleteFile: known.doomedIds,
    getKey: keyIds,
    updateKey: keyIds,
    rotateKey: keyIds,
    revokeKey: known.doomedKeyIds,
    getWebhook: webhookIds,
    updateWebhook: webhookIds,
    rotateWebhookSecret: webhookIds,
    sendTestEvent: webhookIds,
    listDeliveries: webhookIds,
    deleteWebhook: known.doomedWebhookIds,
    getDelivery: known.deliveryIds,
    redeliver: known.deliveryIds,
    // The stream of an open generation would not end.
    followGeneration: endedIds,
    getGeneration: [...openIds, ...endedIds],
    cancelGeneration: [...openIds, ...endedIds],
    deleteResult: [...openIds, ...endedIds],
  }
  return ids[operationId] ?? ['']
}

/** Operations that use up an object: a good request afterwards needs one. */
const deletions = ['revokeKey', 'deleteWebhook']

/** Identifiers for the path of an operation. */
export function idsOf(operation: Operation, known: Known): fc.Arbitrary<string> {
  const ids = idListOf(operation, known)
  return fc.constantFrom(...(deletions.includes(operation.operationId) ? ids.slice(0, -1) : ids))
}

/** Wrong, foreign and unknown identifiers. Without dot segments, which the URL parser of the injected request removes. */
export function oddIds(operation: Operation, known: Known): fc.Arbitrary<string> {
  const { endedIds, othersIds, families } = known
  const ids = [
    ...idListOf(operation, known).slice(0, -1),
    ...known.imageIds,
    ...endedIds,
    ...othersIds,
    ...families.map(({ id }) => id),
  ].filter((id) => id !== '')
  return fc.oneof(
    fc.constantFrom(...ids),
    fc.constantFrom(...ids).map((id) => id.toUpperCase()),
    fc
      .tuple(fc.constantFrom(...ids), fc.constantFrom('%00', '%20', 'x', '%0a', '.json', ';a=1', '%2f..', '%ff', '!'))
      .map((parts) => parts.join('')),
    fc.constantFrom('%00', '%', '%zz', '%2', '%ED%A0%80', '%ff%fe', '__proto__', 'constructor', 'null', '0', '-1', '%20', '', 'a%2Fb'),
    fc.constantFrom(
      'x'.repeat(101),
      'x'.repeat(5000),
      'gen_',
      'file_',
      'key_',
      `hook_${'0'.repeat(26)}`,
      `evt_${'z'.repeat(26)}`,
      `gen_${'0'.repeat(26)}`,
      `gen_${'z'.repeat(26)}`,
      '*',
      ':id',
      '{id}',
    ),
    fc
      .string({ minLength: 1, maxLength: 30, unit: 'grapheme' })
      .filter((text) => !/^\.+$/.test(text))
      .map(encodeURIComponent),
  )
}

/** Described queries, without the question mark. */
export function queriesOf({ parameters }: Operation, { cursors }: Known): fc.Arbitrary<string> {
  const pairs = parameters
    .filter((each) => each.in === 'query')
    .map(({ name, schema }) => {
      const values = name === 'cursor' ? fc.constantFrom(...cursors) : name === 'wait' ? fc.constant(0) : valuesOf(schema, schemaAt)
      return fc.option(
        values.map((value) => pairsOf(name, value)),
        { nil: '', freq: 2 },
      )
    })
  return pairs.length === 0 ? fc.constant('') : fc.tuple(...pairs).map((each) => each.filter((pair) => pair !== '').join('&'))
}

/** A parameter in the query; an object is written as `name[member]=value`. */
function pairsOf(name: string, value: unknown): string {
  if (typeof value !== 'object' || value === null) return `${name}=${encodeURIComponent(String(value))}`
  return Object.entries(value)
    .map(([member, text]) => `${encodeURIComponent(`${name}[${member}]`)}=${encodeURIComponent(String(text))}`)
    .join('&')
}

/** Queries with repeats, brackets, broken escapes, undescribed names and values of wrong types. */
export function oddQueries(operation: Operation, known: Known): fc.Arbitrary<string> {
  const named = operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name)
  const names = fc.oneof(
    fc.constantFrom('limit', ...named, ...named, ...named),
    fc.constantFrom('', '__proto__', 'constructor', '%00', '%', '%ff', 'x', '😀', 'limit%5B%5D'),
  )
  const values = fc.oneof(
    fc.constantFrom(
      '',
      '0',
      '1',
      '50',
      '51',
      '-1',
      '+5',
      '1e1',
      '0x1',
      '1.0',
      '01',
      '%2B5',
      ' 5',
      'NaN',
      'Infinity',
      '9'.repeat(400),
      'null',
    ),
    fc.constantFrom('%00', '%', '%zz', '%ff', '%ED%A0%80', 'x'.repeat(5000), '😀', 'ACTIVE', 'active,ready', 'active%20', '[]', '{}'),
    fc.constantFrom(...known.cursors),
    fc.tuple(fc.constantFrom(...known.cursors), fc.nat(), fc.constantFrom('A', '_', '', '%00', '=')).map(([cursor, place, put]) => {
      const index = place % cursor.length
      return cursor.slice(0, index) + put + cursor.slice(index + 1)
    }),
    oddTexts.map((text) => encodeURIComponent(text.toWellFormed())),
    fc.constantFrom('null', '{}', '[]', '{"id":null}', '["a"]', '[1,2]', '"x"').map((json) => Buffer.from(json).toString('base64url')),
  )
  const pair = fc.tuple(names, fc.constantFrom('', '', '', '[]', '[a]', '.a'), fc.constantFrom('=', '=', '=', '', '=='), values)
  const odd = fc.array(
    pair.map((parts) => parts.join('')),
    { minLength: 1, maxLength: 3 },
  )
  const changed = fc
    .tuple(queriesOf(operation, known), odd, fc.constantFrom('&', '&', '&&', ';', '?', '&amp;'))
    .map(([query, pairs, between]) => (query === '' ? pairs : [query, ...pairs]).join(between))
  const repeated = queriesOf(operation, known).map((query) => `${query}&${query}`)
  return fc.oneof({ weight: 5, arbitrary: changed }, { weight: 1, arbitrary: repeated })
}
