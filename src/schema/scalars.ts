import { type ConstValueNode, GraphQLError, Kind } from 'graphql'
import { builder } from './builder.ts'

const momentForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

builder.scalarType('DateTime', {
  description: 'A moment: ISO 8601 with a time zone. Given back in UTC with milliseconds.',
  serialize: (moment) => (moment instanceof Date ? moment.toISOString() : moment),
  parseValue: (value) => {
    const moment = typeof value === 'string' && momentForm.test(value) ? new Date(value) : undefined
    if (!moment || Number.isNaN(moment.getTime())) throw new GraphQLError('Takes a moment like 2026-01-31T12:00:00.000Z.')
    return moment
  },
})

builder.scalarType('JSON', {
  description: 'Any JSON value, as it stands in the REST interface.',
  coerceOutputValue: (value) => value,
  coerceInputValue: (value) => value,
  coerceInputLiteral: jsonOf,
})

function jsonOf(node: ConstValueNode): unknown {
  switch (node.kind) {
    case Kind.OBJECT:
      // Pairs rather than assignments: a member called __proto__ is one like any other.
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
