import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Log } from '../log.ts'
import { sessionOptions } from '../pool/pool.ts'
import { type CopiedTable, type SequenceValue, schemas } from './snapshot.ts'

export type RestoreSession = {
  /** The identifier of this restore; an interrupted restore that runs again keeps it. */
  readonly id: string
  /** Whether an earlier run completed the part. */
  done(part: string): Promise<boolean>
  note(part: string): Promise<void>
  /** Loads a table in one transaction. Rejects, and rolls back, if reading the content fails or `check` throws. */
  load(part: string, table: CopiedTable, content: Readable, check: () => void): Promise<void>
  /** Adds queued jobs, in the columns of `jobsToBackUp`. A job that ran during the backup starts again. */
  loadJobs(part: string, content: Readable, check: () => void): Promise<void>
  /** The number of rows that these parts had in total. */
  rowsOf(parts: readonly string[]): Promise<number>
  setSequences(sequences: readonly SequenceValue[]): Promise<void>
  /** Sorts tables so that a table comes after those that it references. */
  sortByReferences<Table extends CopiedTable>(tables: readonly Table[]): Promise<Table[]>
  /** Ends the restore: processes may start on the database. */
  finish(): Promise<void>
  close(): Promise<void>
}

/**
 * Starts to load a backup into a database, or continues an interrupted restore of the same `name`. The table `restoring` exists until
 * `finish`; until then `migrateDatabase` refuses to start. Rejects if the database has other tables.
 * Needs no superuser: the owner of the tables may disable their triggers, and foreign keys stay enforced.
 */
export async function openRestoreSession(url: string, { name, log }: { name: string; log: Log }): Promise<RestoreSession> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: 'atelier restore',
    options: sessionOptions,
  })
  client.on('error', (error) => log.warn({ reason: error.message }, 'the connection of the restore broke'))
  await client.connect()
  let id: string
  try {
    await takeOver(client, name)
    id = await idOf(client)
  } catch (error) {
    await client.end()
    throw error
  }
  const note = (part: string, rows: number) => client.query('insert into restoring (part, rows) values ($1, $2)', [part, rows])
  const inTransaction = async (part: string, work: () => Promise<number>): Promise<void> => {
    await client.query('begin')
    try {
      await note(part, await work())
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      throw error
    }
  }
  return {
    id,
    done: async (part) => (await client.query('select from restoring where part = $1', [part])).rowCount === 1,
    note: async (part) => void (await note(part, 0)),
    load: (part, table, content, check) => inTransaction(part, () => copyIn(client, table, content, check)),
    loadJobs: (part, content, check) => inTransaction(part, () => addJobs(client, content, check)),
    async rowsOf(parts) {
      const { rows } = await client.query<{ sum: string | null }>('select sum(rows) as sum from restoring where part = any ($1)', [parts])
      return Number(rows[0]?.sum ?? 0)
    },
    async setSequences(sequences) {
      for (const { name: sequence, lastValue, isCalled } of sequences)
        await client.query('select setval($1::regclass, $2::bigint, $3)', [sequence, lastValue, isCalled])
    },
    sortByReferences: (tables) => sortByReferences(client, tables),
    finish: async () => void (await client.query('drop table restoring')),
    close: () => client.end(),
  }
}

/** Ignores tables of extensions, which some database providers install everywhere. */
const restoreState = `select to_regclass('public.restoring') is not null as "isBegun", exists (
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any ($1) and c.relkind in ('r', 'p')
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  ) as "isUsed"`

async function takeOver(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ isBegun: boolean; isUsed: boolean }>(restoreState, [[...schemas, 'graphile_worker']])
  if (rows[0]?.isBegun) {
    const existing = await client.query<{ part: string }>("select part from restoring where part like 'snapshot %'")
    if (existing.rows[0]?.part === `snapshot ${name}`) return
    throw new RangeError(`another backup is half restored into this database (${existing.rows[0]?.part ?? 'unknown'}): use a new database`)
  }
  if (rows[0]?.isUsed) throw new RangeError('the database is not empty: use a new database')
  await client.query('begin')
  await client.query('create table restoring (part text primary key, rows bigint not null)')
  await client.query('insert into restoring (part, rows) values ($1, 0)', [`snapshot ${name}`])
  await client.query('commit')
}

async function idOf(client: pg.Client): Promise<string> {
  await client.query(`insert into restoring (part, rows) select $1, 0 where not exists (select from restoring where part like 'id %')`, [
    `id ${randomBytes(8).toString('hex')}`,
  ])
  const { rows } = await client.query<{ id: string }>("select substr(part, 4) as id from restoring where part like 'id %'")
  return rows[0]?.id ?? ''
}

/** Triggers are disabled: they would add to counts that the backup already contains. */
async function copyIn(client: pg.Client, { name, columns }: CopiedTable, content: Readable, check: () => void): Promise<number> {
  await client.query(`alter table ${name} disable trigger user`)
  const rows = await read(client, `copy ${name} (${columns.join(', ')}) from stdin`, content)
  check()
  await client.query(`alter table ${name} enable trigger user`)
  return rows
}

async function read(client: pg.Client, copy: string, content: Readable): Promise<number> {
  const rows = client.query(copyFrom(copy))
  await pipeline(content, rows)
  return rows.rowCount
}

async function addJobs(client: pg.Client, content: Readable, check: () => void): Promise<number> {
  await client.query(`create temporary table queued_jobs (identifier text, payload json, run_at timestamptz, max_attempts integer, key text,
    priority integer, flags text[]) on commit drop`)
  const rows = await read(client, 'copy queued_jobs from stdin', content)
  check()
  await client.query(`select count(graphile_worker.add_job(identifier, payload, run_at => run_at, max_attempts => max_attempts,
    job_key => key, priority => priority, flags => flags)) from queued_jobs`)
  return rows
}

async function sortByReferences<Table extends CopiedTable>(client: pg.Client, tables: readonly Table[]): Promise<Table[]> {
  const { rows } = await client.query<{ from: string; to: string }>(
    `select format('%I.%I', n.nspname, c.relname) as "from", format('%I.%I', m.nspname, d.relname) as "to" from pg_constraint k
       join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
       join pg_class d on d.oid = k.confrelid join pg_namespace m on m.oid = d.relnamespace
       where k.contype = 'f' and k.conrelid <> k.confrelid`,
  )
  const ordered: Table[] = []
  const left = new Set(tables)
  while (left.size > 0) {
    const waits = (table: Table) => rows.some(({ from, to }) => from === table.name && [...left].some(({ name }) => name === to))
    const next = [...left].filter((table) => !waits(table))
    if (next.length === 0) throw new Error(`tables reference each other in a cycle: ${[...left].map(({ name }) => name).join(', ')}`)
    for (const table of next) left.delete(table)
    ordered.push(...next)
  }
  return ordered
}
