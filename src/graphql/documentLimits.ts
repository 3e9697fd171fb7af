import { limits } from '../contract/limits.ts'

/**
 * What a document from outside may hold; operations of our own doors are written by us and pass by. Pages of an admin UI and the
 * introspection of tools stay far below.
 */
export const documentLimits = {
  /** Names, numbers, strings and signs; counted while the document is read, so that nothing larger is ever built. */
  tokens: 2000,
  comments: 500,
  /** Brackets within brackets, looked at before the document is read. */
  nesting: 100,
  /** Fields and fragments, in the document as it stands and with its fragments opened up. */
  selections: 500,
  /** Steps from the root to a field. */
  depth: 12,
  /** The same below `__schema` and `__type`, where types nest in types. */
  introspectionDepth: 20,
  rootFields: 20,
  aliases: 30,
  directives: 30,
  /** By {@link fieldCost}. A page of 50 with pages of 50 in it passes, with a third level in those it does not. */
  cost: 100_000,
} as const

/**
 * What one operation may read and answer with, by its longest possible answer. A person's pages are those of the admin UI; a tool is
 * trusted with lists within lists. What an answer really comes to is limited for both by `responseBytesMax`.
 */
export const operationLimits = {
  person: { connections: 2, pages: 20, possibleBytes: 32_000_000 },
  tool: { connections: 10, pages: 200, possibleBytes: 1_000_000_000 },
} as const

/** Whose limits apply. Callers whom nobody knows have those of people. */
export type CallerKind = keyof typeof operationLimits

/** The longest answer, in bytes of JSON. */
export const responseBytesMax = 8 * 1024 * 1024

/** From here on an operation is heavy: those of a person run one after the other, see executeWithLimits.ts. */
export const heavyBytes = 1024 * 1024

/** What a field counts for each time that it is read; below lists it is read as often as the list may be long. */
export const fieldCost = {
  plain: 1,
  /** A page is a question of its own to the database. */
  connection: 100,
  /** How long lists are taken to be that are no pages. */
  listItems: 10,
  /** An alias of so many characters counts as one field more. */
  nameCharacters: 50,
  /** A field of the schema itself, for each type, field or argument that it is read of: the whole schema comes to less than half. */
  introspection: 3,
  /** What its text adds: descriptions are most of an answer. */
  introspectionCharacters: 10,
} as const

/** The longest value of a field, in bytes of JSON, by its type; fields that may hold more or less say so themselves (`maxFieldBytes`). */
export const leafBytes = {
  String: 1000,
  /** Taken for as long as a body of a request: a new field is heavy until it says how long it may be. */
  JSON: limits.requestBodyBytes,
  other: 60,
  /** How many values a list of them is taken to hold. */
  listItems: 10,
} as const

/** The work of reading a page, as bytes of an answer. */
export const pageBytes = 512 * 1024
