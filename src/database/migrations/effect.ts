import type { Constraint, Node, RangeVar } from 'libpg-query'

/** How a statement holds a table: as PostgreSQL names its locks. */
export type TableLock = { table: string; mode: LockMode }
/** As PostgreSQL numbers them, from 1. */
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
 * What one statement of a migration does: in words, and to whom. `made` and `removed` as `table t`, `column t.c`, `function f`,
 * `index i`, `trigger n on t`. `narrowed`: tables that refuse from then on what they took before. `reads`: the lock is held while all rows
 * are read or written.
 */
export type Effect = { words: string; locks: TableLock[]; made: string[]; removed: string[]; narrowed: string[]; reads: boolean }

/** What most statements leave empty. */
export function effect(words: string, parts: Partial<Effect> = {}): Effect {
  return { words, locks: [], made: [], removed: [], narrowed: [], reads: false, ...parts }
}

/** `auth.sessions`; of public the name alone. */
export function nameOf(relation: RangeVar | undefined): string {
  return [relation?.schemaname, relation?.relname].filter((part) => part !== undefined && part !== 'public').join('.')
}

/** A foreign key keeps others from changing the table that it refers to while it is made. */
export function foreignKeyLocks(constraints: Node[]): TableLock[] {
  const foreign = constraints.flatMap((each): Constraint[] => ('Constraint' in each && each.Constraint.pktable ? [each.Constraint] : []))
  return foreign.map(({ pktable }) => ({ table: nameOf(pktable), mode: 'SHARE ROW EXCLUSIVE' }))
}

/** The parts of a qualified name, with dots between them. */
export function qualifiedName(names: Node[] = []): string {
  return names.map((name) => ('String' in name ? (name.String.sval ?? '') : '')).join('.')
}
