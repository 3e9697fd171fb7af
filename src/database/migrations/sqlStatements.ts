import type { Node } from 'libpg-query'

/** One statement of a file, from PostgreSQL's parser: its text without comments around it, and its tree. */
export type SqlStatement = { text: string; node: Node }

/**
 * Parses `sql` into its statements, without comments between them. Throws the parser's error for invalid SQL. The parser is loaded on
 * first use: a start with nothing to apply does not need it.
 */
export async function sqlStatements(sql: string): Promise<SqlStatement[]> {
  const { parse } = await import('libpg-query')
  // The parser reports positions in bytes.
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
