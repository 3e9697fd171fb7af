import type { Node } from 'libpg-query'

/** One statement of a file as PostgreSQL's own parser reads it: its text without what stands around it, and its tree. */
export type SqlStatement = { text: string; node: Node }

/**
 * The statements of `sql` in their order, without comments between them. Throws what the parser says of SQL that it cannot read.
 * The parser is loaded by whoever needs it: a start with nothing to apply does without.
 */
export async function sqlStatements(sql: string): Promise<SqlStatement[]> {
  const { parse } = await import('libpg-query')
  // Places are told in bytes.
  const bytes = Buffer.from(sql)
  const { stmts = [] } = await parse(sql)
  return stmts.flatMap(({ stmt, stmt_location: from = 0, stmt_len: length }) => {
    if (!stmt) return []
    const text = bytes.subarray(from, length === undefined ? undefined : from + length).toString()
    return [{ text: withoutLeadingComments(text), node: stmt }]
  })
}

function withoutLeadingComments(text: string): string {
  return text.replace(/^(\s+|--[^\n]*(\n|$)|\/\*[\s\S]*?\*\/)+/, '').trimEnd()
}
