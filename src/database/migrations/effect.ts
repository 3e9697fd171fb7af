import type { Constraint, Node, RangeVar } from 'libpg-query'

/** The lock that a statement takes on a table, by PostgreSQL's name. */
export type TableLock = { table: string; mode: LockMode }
/** In PostgreSQL's order, from 1. */
export const lockModes = [
  'ACCESS SHARE',
  'ROW SHARE',
  'ROW EXCLUSIVE',
  'SHARE UPDATE EXCLUSIVE',
  'SHARE',
  'SHARE ROW EXCLUSIVE',
  'EXCLUSIVE',
  'ACCESS EXCLUSIVE',
] as const
export type LockMode = (typeof lockModes)[number]

/**
 * What one statement of a migration does. `words`: a description. `made` and `removed`: objects, as `table t`, `column t.c`, `function f`,
 * `index i`, `trigger n on t`. `narrowed`: tables that refuse rows that they accepted before. `reads`: the lock is held while all rows are
 * read or written.
 */
export type Effect = { words: string; locks: TableLock[]; made: string[]; removed: string[]; narrowed: string[]; reads: boolean }

/** Creates an effect; parts that are not given are empty. */
export function effect(words: string, parts: Partial<Effect> = {}): Effect {
  return { words, locks: [], made: [], removed: [], narrowed: [], reads: false, ...parts }
}

/** Returns `auth.sessions`; for the schema public only the name. */
export function nameOf(relation: RangeVar | undefined): string {
  return [relation?.schemaname, relation?.relname].filter((part) => part !== undefined && part !== 'public').join('.')
}

/** Adding a foreign key blocks writes to the referenced table. */
export function foreignKeyLocks(constraints: Node[]): TableLock[] {
  const foreign = constraints.flatMap((each): Constraint[] => ('Constraint' in each && each.Constraint.pktable ? [each.Constraint] : []))
  return foreign.map(({ pktable }) => ({ table: nameOf(pktable), mode: 'SHARE ROW EXCLUSIVE' }))
}

/** Joins the parts of a qualified name with dots. */
export function qualifiedName(names: Node[] = []): string {
  return names.map((name) => ('String' in name ? (name.String.sval ?? '') : '')).join('.')
}
