import { buildSchema, type GraphQLField, getNamedType, isIntrospectionType, isLeafType, isObjectType } from 'graphql'
import { afterAll, expect, test } from 'vitest'
import { printedSchema } from '../../src/schema/schema.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { testServices } from '../support/services.ts'
import { loopback } from '../support/webhooks/webhooks.ts'
import { aFullTeam, asking, beThereAgain, callersOf, type Told, withNames } from './roleCallers.ts'
import { type Column, columns, roleMatrix } from './roleMatrix.ts'
import { argumentsOf, databaseUrls } from './roleWays.ts'

const { services, close } = await testServices({ settings: loopback })
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

/** How a caller without the right is told. */
const noes: Record<Column, string[]> = {
  ...(Object.fromEntries(columns.map((column) => [column, ['insufficient_scope']])) as Record<Column, string[]>),
  otherTeam: ['insufficient_scope', 'generation_not_found', 'file_not_found'],
  owner: ['access_denied'],
  admin: ['access_denied'],
  member: ['access_denied'],
  foreign: ['access_denied'],
  alone: ['access_denied'],
  job: ['unauthorized'],
  stranger: ['unauthorized'],
}

/** Whether a caller got an answer; a refusal other than a clear no is a fault of the test, or worse. */
function isAnswered(column: Column, document: string, { data, codes }: Told): boolean {
  if (codes.length === 0) return true
  if (codes.every((code) => noes[column].includes(code))) return false
  throw new Error(`${column} was told ${codes.join(', ')} for ${document} with ${JSON.stringify(data)}`)
}

async function tell(column: Column, document: string): Promise<Told> {
  const doomed = [names['DOOMED_F'], names['DOOMED_T']]
  if (doomed.some((name) => name !== undefined && document.includes(name))) await beThereAgain(services, names)
  return await callers[column](document)
}

async function mayRoot(row: string, column: Column): Promise<boolean> {
  const document = asking(row, names, selectionOf(row))
  const told = await tell(column, document)
  return isAnswered(column, document, told) && isOwn(column, document, told)
}

/** Tries every way to an object of the type: a caller who cannot get there cannot have its fields either. */
async function mayField(row: string, column: Column): Promise<boolean> {
  const [type = '', field = ''] = row.split('.')
  for (const way of databaseUrls[type] ?? []) {
    if (!(await canReach(way, column))) continue
    const document = withNames(way.replace('FIELD', `it: ${field}${argumentsOf[row] ?? ''} ${selectionOf(row)}`), names)
    const told = await tell(column, document)
    if (!isAnswered(column, document, told)) continue
    if (!JSON.stringify(told.data).includes('"it":')) throw new Error(`nothing of ${type} was reached by ${document}`)
    return isOwn(column, document, told)
  }
  return false
}

const reached = new Map<string, Promise<boolean>>()

function canReach(way: string, column: Column): Promise<boolean> {
  const place = `${column} ${way}`
  const document = withNames(way.replace('FIELD', '__typename'), names)
  const known = reached.get(place) ?? tell(column, document).then((told) => isAnswered(column, document, told))
  reached.set(place, known)
  return known
}

/** What another team is told holds nothing that belongs to the first. */
function isOwn(column: Column, document: string, { data }: Told): boolean {
  if (!['otherTeam', 'foreign', 'alone'].includes(column)) return true
  const text = JSON.stringify(data)
  const foreign = Object.values(names).filter((name) => text.includes(name))
  if (foreign.length > 0) throw new Error(`${column} got ${foreign.join(', ')} from ${document}`)
  return true
}

/** A real field of what comes back, since `__typename` is nobody's secret: its identifier, of a page the first cursor or the like. */
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
  const ask = /^(Query|Mutation|Subscription)\./.test(row) ? mayRoot : mayField
  const did: Column[] = []
  // Who may not comes first: they must find everything as it was.
  for (const column of columns.toSorted((left, right) => Number(may.includes(left)) - Number(may.includes(right)))) {
    if (await ask(row, column)) did.push(column)
  }
  expect(did.toSorted()).toEqual([...may].toSorted())
})
