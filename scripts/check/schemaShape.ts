import type pg from 'pg'

/**
 * The parts of a schema that processes of a release depend on, by name. `columns` by `table.column`; `functions` by `name(types)`, with their
 * result; `unique`: unique columns of a table, with their condition; `checks` and `triggers` with their table. The schema public is omitted.
 */
export type SchemaShape = {
  columns: Record<string, { type: string; required: boolean; filled: boolean }>
  functions: Record<string, string>
  unique: string[]
  checks: string[]
  triggers: string[]
}

/** Excludes tables of graphile-worker, which it migrates itself; partitions are excluded since they follow their parent. */
export async function readSchemaShape(client: Pick<pg.Client, 'query'>): Promise<SchemaShape> {
  const { rows: columns } = await client.query<{ name: string; type: string; required: boolean; filled: boolean }>(columnsSql)
  const { rows: functions } = await client.query<{ name: string; gives: string }>(functionsSql)
  const names = async (sql: string) => (await client.query<{ name: string }>(sql)).rows.map(({ name }) => name)
  return {
    columns: Object.fromEntries(columns.map(({ name, ...column }) => [name, column])),
    functions: Object.fromEntries(functions.map(({ name, gives }) => [name, gives])),
    unique: await names(uniqueSql),
    checks: await names(checksSql),
    triggers: await names(triggersSql),
  }
}

/**
 * Returns what processes of the schema `older` would miss in `newer`, or be refused there, in the words in which a migration declares it:
 * `removes table t`, `removes column t.c`, `removes function f(text)`, `removes unique t (a, b)`, `removes trigger n on t`, `narrows t`. Empty
 * if they can continue.
 */
export function findBreakingChanges(older: SchemaShape, newer: SchemaShape): string[] {
  const tables = new Set(Object.keys(older.columns).map(tableOf))
  const left = new Set(Object.keys(newer.columns).map(tableOf))
  const isOld = (what: string) => tables.has(what.split(' ', 1)[0] ?? '')
  const isLeft = (what: string) => left.has(what.split(' ', 1)[0] ?? '')
  const narrowed = [
    ...Object.entries(newer.columns)
      .filter(([name, { required, filled }]) => {
        const before = older.columns[name]
        return tables.has(tableOf(name)) && required && (before ? !before.required || (before.filled && !filled) : !filled)
      })
      .map(([name]) => tableOf(name)),
    ...newer.unique.filter((one) => isOld(one) && !older.unique.includes(one)).map((one) => one.split(' ', 1)[0]),
    ...newer.checks.filter((one) => isOld(one) && !older.checks.includes(one)).map((one) => one.split(' ', 1)[0]),
  ]
  return [
    ...[...tables].filter((table) => !left.has(table)).map((table) => `removes table ${table}`),
    ...Object.entries(older.columns)
      .filter(([name, { type }]) => left.has(tableOf(name)) && newer.columns[name]?.type !== type)
      .map(([name]) => `removes column ${name}`),
    ...Object.entries(older.functions)
      .filter(([name, gives]) => newer.functions[name] !== gives)
      .map(([name]) => `removes function ${name}`),
    ...older.unique.filter((one) => isLeft(one) && !newer.unique.includes(one)).map((one) => `removes unique ${one}`),
    ...older.triggers
      .filter((one) => left.has(one.split(' ').at(-1) ?? '') && !newer.triggers.includes(one))
      .map((one) => `removes trigger ${one}`),
    ...[...new Set(narrowed)].map((table) => `narrows ${table}`),
  ]
}

const tableOf = (column: string) => column.slice(0, column.lastIndexOf('.'))

const ours = `n.nspname !~ '^(pg_|graphile_worker$|information_schema$)'`
const tableName = `case when n.nspname = 'public' then '' else n.nspname || '.' end || c.relname`

const columnsSql = `select ${tableName} || '.' || attname as name, format_type(atttypid, atttypmod) as type, attnotnull as required,
    atthasdef or attidentity <> '' as filled
  from pg_attribute a join pg_class c on c.oid = attrelid join pg_namespace n on n.oid = relnamespace
  where relkind in ('r', 'p', 'v') and not relispartition and attnum > 0 and not attisdropped and ${ours} order by 1`

const functionsSql = `select case when n.nspname = 'public' then '' else n.nspname || '.' end || proname
    || '(' || oidvectortypes(proargtypes) || ')' as name, coalesce(pg_get_function_result(p.oid), '') as gives
  from pg_proc p join pg_namespace n on n.oid = pronamespace where ${ours} order by 1`

const uniqueSql = `select ${tableName} || ' ' || regexp_replace(pg_get_indexdef(indexrelid), '^.* USING btree ', '') as name
  from pg_index i join pg_class c on c.oid = indrelid join pg_namespace n on n.oid = relnamespace
  where indisunique and not relispartition and ${ours} order by 1`

const checksSql = `select ${tableName} || ' ' || pg_get_expr(conbin, conrelid) as name
  from pg_constraint k join pg_class c on c.oid = conrelid join pg_namespace n on n.oid = relnamespace
  where contype = 'c' and not relispartition and ${ours} order by 1`

const triggersSql = `select tgname || ' on ' || ${tableName} as name
  from pg_trigger t join pg_class c on c.oid = tgrelid join pg_namespace n on n.oid = relnamespace
  where not tgisinternal and not relispartition and ${ours} order by 1`
