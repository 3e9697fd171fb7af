import { type ConstValueNode, GraphQLError, Kind } from 'graphql'
import { hasStorableYear } from '../../contract/shapes/credits.ts'
import { builder } from './builder.ts'

const momentForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/

builder.scalarType('DateTime', {
  description: 'A moment: ISO 8601 with a time zone. Returned in UTC with milliseconds.',
  serialize: (moment) => (moment instanceof Date ? moment.toISOString() : moment),
  parseValue: (value) => {
    const moment = typeof value === 'string' && momentForm.test(value) ? momentOf(value) : undefined
    if (!moment) throw new GraphQLError('Takes a moment like 2026-01-31T12:00:00.000Z.')
    return moment
  },
})

/** Parses a text of the right form; `undefined` for dates like 30 February, and for a year in UTC outside 1 to 9999. */
function momentOf(text: string): Date | undefined {
  const day = text.slice(0, 'YYYY-MM-DD'.length)
  const midnight = new Date(`${day}T00:00:00Z`)
  const moment = new Date(text)
  if (Number.isNaN(midnight.getTime()) || Number.isNaN(moment.getTime()) || !midnight.toISOString().startsWith(day)) return undefined
  return hasStorableYear(moment) ? moment : undefined
}

builder.scalarType('JSON', {
  description: 'Any JSON value, as in the REST interface.',
  coerceOutputValue: (value) => value,
  coerceInputValue: (value) => value,
  coerceInputLiteral: jsonOf,
})

function jsonOf(node: ConstValueNode): unknown {
  switch (node.kind) {
    case Kind.OBJECT:
      // Object.fromEntries, because an assignment to a member called __proto__ sets the prototype.
      return Object.fromEntries(node.fields.map((field) => [field.name.value, jsonOf(field.value)]))
    case Kind.LIST:
      return node.values.map(jsonOf)
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value)
    case Kind.NULL:
      return null
    default:
      return node.value
  }
}
