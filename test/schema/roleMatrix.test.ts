import { buildSchema, type GraphQLField, getNamedType, isIntrospectionType, isLeafType, isObjectType } from 'graphql'
import { afterAll, expect, test } from 'vitest'
import { printedSchema } from '../../src/schema/schema.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { testServices } from '../support/services.ts'
import { loopback } from '../support/webhooks/webhooks.ts'
import { argumentsOf } from './roleArguments.ts'
import { aFullTeam, callersOf, documentFor, type Outcome, restoreDeleted, withNames } from './roleCallers.ts'
import { type Column, columns } from './roleColumns.ts'
import { roleMatrix } from './roleMatrix.ts'
import { pathsToType } from './roleWays.ts'

const groupProvider = { name: 'Example ID', issuer: 'https://id.example.com', claim: 'groups' }
const { services, close } = await testServices({ settings: { ...loopback, groupProvider } })
afterAll(close)

const own = await aTeamWithKey(services)
const other = await aTeamWithKey(services)
const names = await aFullTeam(services, own)
const callers = await callersOf(services, own, other)

const fields = new Map<string, GraphQLField<unknown, unknown>>()
for (const type of Object.values(buildSchema(printedSchema()).getTypeMap())) {
  if (!isObjectType(type) || isIntrospectionType(type)) continue
  for (const field of Object.values(type.getFields())) fields.set(`${type.name}.${field.name}`, field)
}

/** The refusals of a caller without the permission. */
const refusalsOf: Record<Column, string[]> = {
  ...(Object.fromEntries(columns.map((column) => [column, ['insufficient_scope']])) as Record<Column, string[]>),
  service: ['access_denied'],
  otherTeam: ['insufficient_scope', 'generation_not_found', 'file_not_found', 'not_found'],
  owner: ['access_denied'],
  admin: ['access_denied'],
  member: ['access_denied'],
  foreign: ['access_denied'],
  alone: ['access_denied'],
  job: ['unauthorized'],
  stranger: ['unauthorized'],
}

/** Whether the caller got data. A refusal other than a missing permission is a fault of the test or of the schema. */
function isAnswered(column: Column, document: string, { data, codes }: Outcome): boolean {
  if (codes.length === 0) return true
  if (codes.every((code) => refusalsOf[column].includes(code))) return false
  throw new Error(`${column} got ${codes.join(', ')} for ${document} with ${JSON.stringify(data)}`)
}

async function runDocument(column: Column, document: string): Promise<Outcome> {
  const deletable = ['essions', names['SESSION'], names['DOOMED_F'], names['DOOMED_T'], names['DOOMED_H'], names['DOOMED_A']]
  if (deletable.some((name) => name !== undefined && document.includes(name))) await restoreDeleted(services, names)
  return await callers[column](document)
}

async function mayRoot(row: string, column: Column): Promise<boolean> {
  const document = documentFor(row, names, selectionOf(row))
  const outcome = await runDocument(column, document)
  if (!isAnswered(column, document, outcome)) return false
  checkOwn(column, document, outcome)
  return true
}

/** Tries every path to an object of the type. A caller without a path to it cannot read its fields. */
async function mayField(row: string, column: Column): Promise<boolean> {
  const type = row.split('.')[0] ?? ''
  for (const way of pathsToType[type] ?? []) {
    if ((await canReach(way, column)) && (await readableRows(way, column, type)).has(row)) return true
  }
  return false
}

const readable = new Map<string, Promise<Set<string>>>()

function readableRows(way: string, column: Column, type: string): Promise<Set<string>> {
  const place = `${column} ${way}`
  const rowsOfType = Object.keys(roleMatrix).filter((row) => row.startsWith(`${type}.`))
  const known = readable.get(place) ?? readRows(way, column, rowsOfType).then((read) => new Set(read))
  readable.set(place, known)
  return known
}

/** Reads the fields in one document, and halves them until the refused ones are known: a document for each takes three times as long. */
async function readRows(way: string, column: Column, asked: readonly string[]): Promise<string[]> {
  const selection = asked.map((row, index) => `it${index}: ${row.split('.')[1]}${argumentsOf[row] ?? ''} ${selectionOf(row)}`)
  const document = withNames(way.replace('FIELD', selection.join(' ')), names)
  const outcome = await runDocument(column, document)
  if (isAnswered(column, document, outcome)) {
    const text = JSON.stringify(outcome.data)
    const missing = asked.filter((_, index) => !text.includes(`"it${index}":`))
    if (missing.length > 0) throw new Error(`${document} reached no ${missing.join(', ')}`)
    checkOwn(column, document, outcome)
    return [...asked]
  }
  if (asked.length === 1) return []
  const middle = Math.ceil(asked.length / 2)
  return [...(await readRows(way, column, asked.slice(0, middle))), ...(await readRows(way, column, asked.slice(middle)))]
}

const reached = new Map<string, Promise<boolean>>()

function canReach(way: string, column: Column): Promise<boolean> {
  const place = `${column} ${way}`
  const document = withNames(way.replace('FIELD', '__typename'), names)
  const known = reached.get(place) ?? runDocument(column, document).then((outcome) => isAnswered(column, document, outcome))
  reached.set(place, known)
  return known
}

/** Checks that data for another team contains no identifier of the first team. */
function checkOwn(column: Column, document: string, { data }: Outcome): void {
  if (!['otherTeam', 'foreign', 'alone'].includes(column)) return
  const text = JSON.stringify(data)
  const foreign = Object.values(names).filter((name) => text.includes(name))
  if (foreign.length > 0) throw new Error(`${column} got ${foreign.join(', ')} from ${document}`)
}

/** Selects a field of the returned type, because everybody may read `__typename`: its id, or its first leaf field. */
function selectionOf(row: string): string {
  const type = fields.get(row) && getNamedType(fields.get(row)?.type)
  if (!isObjectType(type)) return ''
  const inner = Object.values(type.getFields())
  const named = inner.find(({ name }) => name === 'id')
  const leaf = named ?? inner.find((field) => isLeafType(getNamedType(field.type)) && field.args.length === 0)
  const next = leaf ?? inner[0]
  return next ? `{ ${next.name} ${selectionOf(`${type.name}.${next.name}`)} }` : ''
}

test('every field of the schema has a row, and every row has a field', () => {
  expect(Object.keys(roleMatrix).toSorted()).toEqual([...fields.keys()].toSorted())
})

test.each(Object.entries(roleMatrix))('%s is only for %j', async (row, may) => {
  const mayRead = /^(Query|Mutation|Subscription)\./.test(row) ? mayRoot : mayField
  const permitted: Column[] = []
  // Callers without the permission run first, on unchanged data.
  for (const column of columns.toSorted((left, right) => Number(may.includes(left)) - Number(may.includes(right)))) {
    if (await mayRead(row, column)) permitted.push(column)
  }
  expect(permitted.toSorted()).toEqual([...may].toSorted())
})
