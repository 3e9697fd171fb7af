import type { AlterTableCmd, ColumnDef, Constraint, Node } from 'libpg-query'
import { type Effect, effect, foreignKeyLocks, type LockMode, qualifiedName } from './effect.ts'

/** Returns the effect of one part of `alter table`. Throws for a part that is not in the table of known parts. */
export function columnChange(table: string, { subtype = 'AT_AddColumn', name, def }: AlterTableCmd): Effect {
  const held = (words: string, mode: LockMode, parts: Partial<Effect> = {}) =>
    effect(words, { ...parts, locks: [{ table, mode }, ...(parts.locks ?? [])] })
  if (subtype === 'AT_AddColumn' && def && 'ColumnDef' in def) {
    const { words, ...parts } = added(table, def.ColumnDef)
    return held(words, 'ACCESS EXCLUSIVE', parts)
  }
  if (subtype === 'AT_AddConstraint' && def && 'Constraint' in def) return constrained(table, def.Constraint)
  const column = `${table}.${name}`
  const change = changes[subtype]
  if (!change) throw new Error(`${subtype} is an unknown part of alter table`)
  const { words, mode, ...parts } = change({ table, name: name ?? '', column })
  return held(words, mode, parts)
}

type Named = { table: string; name: string; column: string }
type Change = { words: string; mode: LockMode } & Partial<Effect>

const changes: Partial<Record<NonNullable<AlterTableCmd['subtype']>, (named: Named) => Change>> = {
  AT_DropColumn: ({ column }) => ({ words: `removes column ${column}`, mode: 'ACCESS EXCLUSIVE', removed: [`column ${column}`] }),
  AT_AlterColumnType: ({ column }) => ({
    words: `changes the type of ${column}, which may rewrite all rows`,
    mode: 'ACCESS EXCLUSIVE',
    removed: [`column ${column}`],
    reads: true,
  }),
  AT_SetNotNull: ({ table, column }) => ({
    words: `requires a value in ${column}`,
    mode: 'ACCESS EXCLUSIVE',
    narrowed: [table],
    reads: true,
  }),
  AT_DropNotNull: ({ column }) => ({ words: `allows null in ${column}`, mode: 'ACCESS EXCLUSIVE' }),
  AT_ColumnDefault: ({ column }) => ({ words: `sets or drops the default of ${column}`, mode: 'ACCESS EXCLUSIVE' }),
  AT_DropConstraint: ({ table, name }) => ({ words: `removes constraint ${name} of ${table}`, mode: 'ACCESS EXCLUSIVE' }),
  AT_ValidateConstraint: ({ table, name }) => ({
    words: `proves constraint ${name} of ${table}`,
    mode: 'SHARE UPDATE EXCLUSIVE',
    reads: true,
  }),
  AT_SetRelOptions: ({ table }) => ({ words: `sets storage of ${table}`, mode: 'SHARE UPDATE EXCLUSIVE' }),
  AT_SetStatistics: ({ column }) => ({ words: `sets statistics of ${column}`, mode: 'SHARE UPDATE EXCLUSIVE' }),
  AT_SetStorage: ({ column }) => ({ words: `sets storage of ${column}`, mode: 'ACCESS EXCLUSIVE' }),
  AT_AttachPartition: ({ table }) => ({ words: `attaches a partition to ${table}`, mode: 'SHARE UPDATE EXCLUSIVE' }),
  AT_DetachPartition: ({ table }) => ({ words: `detaches a partition of ${table}`, mode: 'ACCESS EXCLUSIVE' }),
}

/** A constant default is stored once; a volatile one rewrites all rows. */
function added(table: string, { colname, constraints = [], typeName }: ColumnDef): Partial<Effect> & { words: string } {
  const kinds = constraints.flatMap((each): Constraint[] => ('Constraint' in each ? [each.Constraint] : []))
  const preset = kinds.find(({ contype }) => contype === 'CONSTR_DEFAULT')?.raw_expr
  const isRequired = kinds.some(({ contype }) => contype === 'CONSTR_NOTNULL')
  const type = qualifiedName(typeName?.names)
  const isWritten =
    (preset !== undefined && !isConstant(preset)) ||
    kinds.some(({ contype }) => contype === 'CONSTR_GENERATED' || contype === 'CONSTR_IDENTITY') ||
    type.endsWith('serial')
  return {
    words: `adds column ${table}.${colname}${isWritten ? ', and rewrites all rows' : ''}`,
    made: [`column ${table}.${colname}`],
    narrowed: isRequired && preset === undefined && !isWritten ? [table] : [],
    reads: isWritten || kinds.some(({ contype }) => contype === 'CONSTR_CHECK' || contype === 'CONSTR_UNIQUE'),
    locks: foreignKeyLocks(constraints),
  }
}

function isConstant(node: Node): boolean {
  if ('A_Const' in node) return true
  return 'TypeCast' in node && node.TypeCast.arg !== undefined && isConstant(node.TypeCast.arg)
}

function constrained(table: string, constraint: Constraint): Effect {
  const { contype, conname, skip_validation: isUnvalidated, indexname } = constraint
  const isForeign = contype === 'CONSTR_FOREIGN'
  const reads = isUnvalidated !== true && indexname === undefined
  return effect(`adds constraint ${conname ?? ''} to ${table}${isUnvalidated ? ', not validated yet' : ''}`, {
    locks: [{ table, mode: isForeign ? 'SHARE ROW EXCLUSIVE' : 'ACCESS EXCLUSIVE' }, ...foreignKeyLocks([{ Constraint: constraint }])],
    narrowed: [table],
    reads,
  })
}
