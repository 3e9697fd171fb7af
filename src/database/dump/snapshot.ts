import type { Readable } from 'node:stream'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Log } from '../log.ts'
import type { AppliedMigration } from '../migrations/migrationFiles.ts'
import { sessionOptions } from '../pool/pool.ts'

/** A table to copy: its quoted name, and its columns in their order. */
export type CopiedTable = { name: string; columns: string[] }
export type SequenceValue = { name: string; lastValue: string; isCalled: boolean }

export type Snapshot = {
  migrations: AppliedMigration[]
  serverVersion: string
  tables: CopiedTable[]
  /** An estimate of the size of all rows, from the size of the tables. */
  estimatedBytes: number
  /** Copies the rows of a selection in PostgreSQL's text format. `rows` resolves after all content was read. One selection at a time. */
  copyOut(selection: string): { content: Readable; rows(): Promise<number> }
  /** Call last: sequences are outside of the snapshot, so their values must be at least those in the copied rows. */
  sequences(): Promise<SequenceValue[]>
  close(): Promise<void>
}

/** The copied schemas. That of the job queue is created again, and its jobs are added to it. */
export const schemas = ['public', 'auth']

/**
 * Tables that migrations fill, or that describe this deployment: its processes, backups and maintenance. Unlogged tables are not copied
 * either: a crash loses them anyway.
 */
const skippedTables = [
  'schema_migrations',
  'schema_functions',
  'processes',
  'buried_processes',
  'backups',
  'restoring',
  'retired_partitions',
  'routines',
  'clock_watch',
]

/** Retired partitions that are not dropped yet: detached tables with deleted data. */
const retiredForm = '^(generations|generation_attempts|webhook_deliveries|webhook_attempts)_(first|[0-9_]+)$'

const tablesOf = `select format('%I.%I', n.nspname, c.relname) as name,
    array(select quote_ident(a.attname) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any ($1) and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p' and c.relname <> all ($2)
    and c.relname !~ '${retiredForm}'
  order by n.nspname, c.relname`

const sizeOf = `select coalesce(sum(pg_table_size(c.oid)), 0)::text as bytes from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any ($1) and c.relkind = 'r' and c.relpersistence = 'p'`

/**
 * Opens a snapshot: everything that is read shows the same moment, while others write. Blocks only changes of tables (DDL).
 * Rejects when the database cannot be reached or was never migrated.
 */
export async function openSnapshot(url: string, { log }: { log: Log }): Promise<Snapshot> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: 'atelier backup',
    options: sessionOptions,
  })
  client.on('error', (error) => log.warn({ reason: error.message }, 'the connection of the backup broke'))
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read, read only')
    const migrations = await client.query<AppliedMigration>('select version, name, checksum from schema_migrations order by version')
    const tables = await client.query<CopiedTable>(tablesOf, [schemas, skippedTables])
    const sizes = await client.query<{ bytes: string }>(sizeOf, [schemas])
    const { rows } = await client.query<{ version: string }>("select current_setting('server_version') as version")
    return {
      migrations: migrations.rows,
      serverVersion: rows[0]?.version ?? '',
      tables: tables.rows,
      estimatedBytes: Number(sizes.rows[0]?.bytes),
      copyOut(selection) {
        const content = client.query(copyTo(`copy (${selection}) to stdout`))
        // The row count arrives after the last row, and before the answer to the next statement.
        return { content, rows: async () => client.query('select').then(() => content.rowCount) }
      },
      sequences: () => sequencesOf(client),
      close: () => client.end(),
    }
  } catch (error) {
    await client.end()
    throw error
  }
}

async function sequencesOf(client: pg.Client): Promise<SequenceValue[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = any ($1) and c.relkind = 'S' order by 1`,
    [schemas],
  )
  const values: SequenceValue[] = []
  for (const { name } of rows) {
    const read = await client.query<Omit<SequenceValue, 'name'>>(
      `select last_value::text as "lastValue", is_called as "isCalled" from ${name}`,
    )
    values.push(...read.rows.map((value) => ({ name, ...value })))
  }
  return values
}
