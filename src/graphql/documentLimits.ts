/**
 * What a document from outside may hold; operations of our own doors are written by us and pass by. Pages of an admin UI and the
 * introspection of tools stay far below.
 */
export const documentLimits = {
  /** Names, numbers, strings and signs; counted while the document is read, so that nothing larger is ever built. */
  tokens: 2000,
  comments: 500,
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
