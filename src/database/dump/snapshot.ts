import type { Readable } from 'node:stream'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Log } from '../log.ts'
import type { AppliedMigration } from '../migrations/migrationFiles.ts'
import { sessionOptions } from '../pool/pool.ts'

/** A table as it is copied; names are quoted where SQL wants it, columns stand in their order. */
export type CopiedTable = { name: string; columns: string[] }
export type SequenceValue = { name: string; lastValue: string; isCalled: boolean }

export type Snapshot = {
  migrations: AppliedMigration[]
  serverVersion: string
  tables: CopiedTable[]
  /** The rows of a selection in PostgreSQL's text form; `rows` once all of it was read. One at a time. */
  copyOut(selection: string): { content: Readable; rows(): Promise<number> }
  /** Read when everything else was: sequences know no snapshot, and what stands in the rows is below. */
  sequences(): Promise<SequenceValue[]>
  close(): Promise<void>
}

/** The schemas of ours; that of the job queue is made anew, and its jobs are added to it again. */
export const schemas = ['public', 'auth']

/**
 * Made by the migrations themselves, or true of this deployment alone: its processes, its backups, its maintenance. Unlogged tables are left out as well:
 * their counts are lost in any crash.
 */
const leftOut = [
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

/** Partitions that were retired and not cleared up yet: they are tables by themselves, hold what was forgotten, and no new database has them. */
const retiredForm = '^(generations|generation_attempts|webhook_deliveries|webhook_attempts)_(first|[0-9_]+)$'

const tablesOf = `select format('%I.%I', n.nspname, c.relname) as name,
    array(select quote_ident(a.attname) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any ($1) and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p' and c.relname <> all ($2)
    and c.relname !~ '${retiredForm}'
  order by n.nspname, c.relname`

/**
 * Opens one moment of the database, which all that is read from it agrees on, beside whoever writes. It keeps no one from anything but
 * from changing tables, as every reader does. Rejects when the database cannot be reached or was never migrated.
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
    const tables = await client.query<CopiedTable>(tablesOf, [schemas, leftOut])
    const { rows } = await client.query<{ version: string }>("select current_setting('server_version') as version")
    return {
      migrations: migrations.rows,
      serverVersion: rows[0]?.version ?? '',
      tables: tables.rows,
      copyOut(selection) {
        const content = client.query(copyTo(`copy (${selection}) to stdout`))
        // The number comes behind the last row: once another answer is there, it is.
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
