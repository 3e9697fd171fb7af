import type pg from 'pg'

/** All our database objects with their definitions. */
export type Catalog = Record<string, string>

/** Objects that are missing or different in one catalog, by name. */
export type CatalogDifference = { onlyFirst: string[]; onlySecond: string[]; changed: string[] }

/**
 * Reads tables, columns, constraints, indexes, triggers, functions, sequences and comments, and the indexes that we add to the job queue.
 * Indexes and constraints of partitions have names of their own in each database, so that only their definitions count.
 */
export async function catalogOf(client: Pick<pg.Client, 'query'>): Promise<Catalog> {
  const { rows } = await client.query<{ name: string; definition: string }>(catalogSql)
  const catalog: Catalog = {}
  for (const { name, definition } of rows) catalog[name] = definition
  return catalog
}

export function catalogDifference(first: Catalog, second: Catalog): CatalogDifference {
  return {
    onlyFirst: Object.keys(first).filter((name) => !(name in second)),
    onlySecond: Object.keys(second).filter((name) => !(name in first)),
    changed: Object.keys(first).filter((name) => name in second && first[name] !== second[name]),
  }
}

const ours = `('public', 'auth')`

const catalogSql = `with tables as (
    select c.oid, c.relispartition, c.oid::regclass::text as name, c.relkind, c.relpersistence, c.reloptions, c.relpartbound
      from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname in ${ours} and c.relkind in ('r', 'p', 'v')
  )
  select 'table ' || name as name, concat_ws(' ', relkind, relpersistence, nullif(array_to_string(array_remove(reloptions, 'fillfactor=100'), ','), ''),
      case relkind when 'p' then pg_get_partkeydef(oid) end, pg_get_expr(relpartbound, oid)) as definition from tables
  union all
  select 'column ' || t.name || '.' || attname, concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated,
      attstorage, attcompression, attcollation::regcollation, pg_get_expr(adbin, adrelid))
    from tables t join pg_attribute a on attrelid = t.oid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped
  union all
  select 'constraint of ' || t.name || ' ' || case when t.relispartition then pg_get_constraintdef(k.oid) else conname end,
      pg_get_constraintdef(k.oid) || ' ' || convalidated
    from tables t join pg_constraint k on conrelid = t.oid where contype in ('p', 'u', 'f', 'c', 'x')
  union all
  select 'index of ' || t.name || ' ' || case when t.relispartition then described else i.relname end, described
    from (select oid, name, relispartition from tables union all
        select 'graphile_worker._private_jobs'::regclass, 'graphile_worker._private_jobs', false) t
      join pg_index x on x.indrelid = t.oid join pg_class i on i.oid = x.indexrelid
      cross join lateral (select regexp_replace(pg_get_indexdef(i.oid), 'INDEX \\S+ ON (ONLY )?\\S+', 'INDEX') || ' ' || indisvalid) as d (described)
  union all
  select 'trigger of ' || t.name || ' ' || tgname, concat_ws(' ', pg_get_triggerdef(g.oid), tgenabled)
    from tables t join pg_trigger g on tgrelid = t.oid where not tgisinternal
  union all
  select 'function ' || p.oid::regprocedure, pg_get_functiondef(p.oid)
    from pg_proc p join pg_namespace n on n.oid = pronamespace where n.nspname in ${ours} and prokind = 'f'
  union all
  select 'sequence ' || seqrelid::regclass, concat_ws(' ', seqtypid::regtype, seqstart, seqincrement, seqmax, seqcycle)
    from pg_sequence join pg_class c on c.oid = seqrelid join pg_namespace n on n.oid = relnamespace where n.nspname in ${ours}
  union all
  select 'comment on ' || t.name || coalesce('.' || attname, ''), description
    from tables t join pg_description d on d.objoid = t.oid and d.classoid = 'pg_class'::regclass
      left join pg_attribute on attrelid = t.oid and attnum = d.objsubid and d.objsubid > 0
    where not t.relispartition
  union all
  select 'schema ' || nspname::text, concat_ws(' ', nspacl::text, obj_description(oid, 'pg_namespace')) from pg_namespace
    where nspname not like 'pg\\_%' and nspname <> 'information_schema'
  order by 1`
