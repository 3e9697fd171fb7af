import { limits } from '../contract/limits.ts'

/**
 * The limits of documents from clients; internal operations are exempt. Documents of the admin UI and introspection by tools stay far below.
 */
export const documentLimits = {
  /** Lexical tokens; the parser stops at the limit. */
  tokens: 2000,
  comments: 500,
  /** Nested brackets, checked before the document is parsed. */
  nesting: 100,
  /** Fields and fragments, in the document as written and with its fragments expanded. */
  selections: 500,
  /** Levels from the root to a field. */
  depth: 12,
  /** The same below `__schema` and `__type`, where types nest in types. */
  introspectionDepth: 20,
  rootFields: 20,
  aliases: 30,
  directives: 30,
  /** By {@link fieldCost}. A page of 50 with nested pages of 50 is accepted; a third level is not. */
  cost: 100_000,
} as const

/**
 * The limits of one operation, by its longest possible response. The limits of people fit the admin UI; tools may nest lists. The actual
 * response is limited by `responseBytesMax` for both.
 */
export const operationLimits = {
  person: { connections: 2, pages: 20, possibleBytes: 32_000_000 },
  tool: { connections: 10, pages: 200, possibleBytes: 1_000_000_000 },
} as const

/** Whose limits apply. Unauthenticated callers have the limits of people. */
export type CallerKind = keyof typeof operationLimits

/** The longest response, in bytes of JSON. */
export const responseBytesMax = 8 * 1024 * 1024

/** An operation above this is heavy. Heavy operations of a person run one after another, see executeWithLimits.ts. */
export const heavyBytes = 1024 * 1024

/** The cost of a field for each read; a field in a list is read for each item. */
export const fieldCost = {
  plain: 1,
  /** A page is a separate database query. */
  connection: 100,
  /** The assumed length of lists without pages. */
  listItems: 10,
  /** An alias costs one field more for each of this many characters. */
  nameCharacters: 50,
  /** An introspection field, for each type, field or argument that it is read for. The whole schema costs less than half of the limit. */
  introspection: 2,
  /** Characters of introspection text per unit of cost: most of the response is descriptions. */
  introspectionCharacters: 10,
} as const

/** The assumed longest value of a field by type, in bytes of JSON, unless the field has `maxFieldBytes`. */
export const leafBytes = {
  String: 1000,
  /** As long as a request body: a new JSON field is heavy until it has `maxFieldBytes`. */
  JSON: limits.requestBodyBytes,
  other: 60,
  /** The assumed length of a list of values. */
  listItems: 10,
} as const

/** The work of reading a page, expressed as bytes of a response. */
export const pageBytes = 512 * 1024
