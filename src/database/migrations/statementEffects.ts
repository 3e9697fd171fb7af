import type { AlterTableStmt, CreateStmt, DropStmt, IndexStmt, Node, RangeVar, RenameStmt } from 'libpg-query'
import { columnChange } from './columnChanges.ts'
import { type Effect, effect, foreignKeyLocks, lockModes, nameOf, qualifiedName, type TableLock } from './effect.ts'

/** Returns the effects of a statement. Throws for a kind without an entry here: add one after you looked up its lock. */
export function effectsOf(node: Node): Effect[] {
  const [kind, statement] = Object.entries(node)[0] ?? ['', undefined]
  const classify = (kinds as Record<string, ((statement: unknown) => Effect[]) | undefined>)[kind]
  if (!classify) throw new Error(`${kind} is an unknown kind of statement`)
  return classify(statement)
}

type Kind = Node extends infer Each ? (Each extends unknown ? keyof Each : never) : never
type Statement<Name extends Kind> = Extract<Node, Record<Name, unknown>>[Name & keyof Extract<Node, Record<Name, unknown>>]

const kinds: { [Name in Kind]?: (statement: Statement<Name>) => Effect[] } = {
  CreateStmt: createTable,
  IndexStmt: createIndex,
  AlterTableStmt: alterTable,
  DropStmt: dropped,
  RenameStmt: (statement) => [renamed(statement)],
  CreateTrigStmt: ({ trigname, relation }) => {
    const trigger = `trigger ${trigname} on ${nameOf(relation)}`
    return [effect(`adds ${trigger}`, { locks: [{ table: nameOf(relation), mode: 'SHARE ROW EXCLUSIVE' }], made: [trigger] })]
  },
  CreateFunctionStmt: ({ funcname }) => [
    effect(`adds function ${qualifiedName(funcname)}`, { made: [`function ${qualifiedName(funcname)}`] }),
  ],
  CommentStmt: () => [],
  CreateSchemaStmt: ({ schemaname }) => [effect(`adds schema ${schemaname}`)],
  CreateSeqStmt: ({ sequence }) => [effect(`adds sequence ${nameOf(sequence)}`)],
  VariableSetStmt: () => [],
  InsertStmt: ({ relation }) => [rows('adds rows to', relation)],
  UpdateStmt: ({ relation }) => [rows('changes rows of', relation)],
  DeleteStmt: ({ relation }) => [rows('removes rows of', relation)],
  DoStmt: () => [effect('runs a block of code: see the file for its locks')],
  SelectStmt: () => [effect('calls functions: see the file for their locks')],
  LockStmt: ({ relations = [], mode = 0 }) => {
    const words = lockModes[mode - 1]
    if (words === undefined) throw new Error(`${mode} is an unknown lock mode`)
    return [
      effect('locks', { locks: relations.flatMap((each) => ('RangeVar' in each ? [{ table: nameOf(each.RangeVar), mode: words }] : [])) }),
    ]
  },
}

function rows(action: string, relation: RangeVar | undefined): Effect {
  return effect(`${action} ${nameOf(relation)}`, { locks: [{ table: nameOf(relation), mode: 'ROW EXCLUSIVE' }] })
}

function createTable({ relation, inhRelations = [], partbound, tableElts = [], constraints = [] }: CreateStmt): Effect[] {
  const table = nameOf(relation)
  const own = tableElts.flatMap((element) => ('ColumnDef' in element ? (element.ColumnDef.constraints ?? []) : [element]))
  const locks: TableLock[] = foreignKeyLocks([...own, ...constraints])
  for (const parent of inhRelations) {
    if ('RangeVar' in parent) locks.push({ table: nameOf(parent.RangeVar), mode: 'ACCESS EXCLUSIVE' })
  }
  return [effect(`adds ${partbound ? 'partition' : 'table'} ${table}`, { locks, made: [`table ${table}`] })]
}

function createIndex({ idxname, relation, concurrent, unique }: IndexStmt): Effect[] {
  const table = nameOf(relation)
  const words = `adds ${unique ? 'unique ' : ''}index ${idxname ?? 'without a name'} to ${table}${concurrent ? ', concurrently' : ''}`
  const locks: TableLock[] = [{ table, mode: concurrent ? 'SHARE UPDATE EXCLUSIVE' : 'SHARE' }]
  return [effect(words, { locks, made: [`index ${idxname}`], narrowed: unique ? [table] : [], reads: true })]
}

function alterTable({ relation, cmds = [] }: AlterTableStmt): Effect[] {
  return cmds.flatMap((command) => ('AlterTableCmd' in command ? [columnChange(nameOf(relation), command.AlterTableCmd)] : []))
}

const removable: Partial<Record<string, string>> = {
  OBJECT_TABLE: 'table',
  OBJECT_INDEX: 'index',
  OBJECT_FUNCTION: 'function',
  OBJECT_TRIGGER: 'trigger',
}

function dropped({ objects = [], removeType = 'OBJECT_AGGREGATE', concurrent }: DropStmt): Effect[] {
  const what = removable[removeType]
  if (what === undefined) throw new Error(`dropping ${removeType} is an unknown kind of statement`)
  return objects.map((object) => {
    const parts = partsOf(object)
    const table = parts.slice(0, -1).join('.')
    if (what === 'trigger') {
      const trigger = `trigger ${parts.at(-1)} on ${table}`
      return effect(`removes ${trigger}`, { locks: [{ table, mode: 'ACCESS EXCLUSIVE' }], removed: [trigger] })
    }
    const name = parts.join('.')
    const locks: TableLock[] = what === 'table' ? [{ table: name, mode: 'ACCESS EXCLUSIVE' }] : []
    const tail = what === 'index' ? `${concurrent ? ', concurrently' : ', which blocks its table'}` : ''
    return effect(`removes ${what} ${name}${tail}`, { locks, removed: [`${what} ${name}`] })
  })
}

function renamed({ relation, renameType, subname, newname }: RenameStmt): Effect {
  const table = nameOf(relation)
  if (renameType === 'OBJECT_INDEX') return effect(`renames index ${table} to ${newname}`)
  const locks: TableLock[] = [{ table, mode: 'ACCESS EXCLUSIVE' }]
  if (renameType === 'OBJECT_TABLE') {
    return effect(`renames table ${table} to ${newname}`, { locks, made: [`table ${newname}`], removed: [`table ${table}`] })
  }
  if (renameType === 'OBJECT_COLUMN') {
    return effect(`renames column ${table}.${subname} to ${newname}`, { locks, removed: [`column ${table}.${subname}`] })
  }
  if (renameType === 'OBJECT_TABCONSTRAINT') return effect(`renames a constraint of ${table}`, { locks })
  throw new Error(`renaming ${renameType} is an unknown kind of statement`)
}

/** Objects have a list of names, functions a name with arguments. */
function partsOf(object: Node): string[] {
  if ('List' in object) return qualifiedName(object.List.items).split('.')
  return 'ObjectWithArgs' in object ? qualifiedName(object.ObjectWithArgs.objname).split('.') : []
}
