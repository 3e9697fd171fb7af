import { join } from 'node:path'
import pg from 'pg'
import { DatabaseStartError } from '../databaseStartError.ts'
import { reasonOf } from './connectMigrator.ts'
import type { Effect } from './effect.ts'
import { appliedMigrations } from './migrate.ts'
import { type MigrationFile, migrationsFolder, pendingMigrations, readMigrationFiles } from './migrationFiles.ts'
import { isOutsideTransaction } from './outsideTransaction.ts'
import { type Release, readReleases, releaseAt, releaseUpTo, removalsOf } from './releases.ts'
import { changedFunctions, newestOfFunctions } from './sqlFunctions.ts'
import { sqlStatements } from './sqlStatements.ts'
import { effectsOf } from './statementEffects.ts'

/** A pending migration. `breakingChanges`: what processes of earlier releases may miss or be refused, see {@link findBreakingChanges}. */
export type PlannedMigration = { name: string; outside: boolean; effects: Effect[]; breakingChanges: string[] }

/**
 * What a start of this code would do to a database. `running`: the release whose last migration the database has; undefined for an empty
 * database, or between two releases. `sizes`: of the existing tables that it locks; `rows` is the planner's estimate.
 */
export type MigrationPlan = {
  applied: number
  needed: number
  running: Release | undefined
  migrations: PlannedMigration[]
  functions: string[]
  /** What the running processes would miss; if not empty, they must be stopped first. */
  missed: string[]
  sizes: Map<string, { rows: number; bytes: number }>
}

/** Plans the migration of the database at `url` in a read-only session. Throws as {@link planMigration}, and if it is unreachable. */
export async function readMigrationPlan(url: string): Promise<MigrationPlan> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    application_name: 'atelier migrate --check',
    options: '-c default_transaction_read_only=on',
  })
  client.on('error', () => undefined)
  await client.connect().catch((cause: unknown) => {
    throw new DatabaseStartError(`the database cannot be reached: ${reasonOf(cause)}`, { cause })
  })
  try {
    return await planMigration(client, migrationsFolder)
  } finally {
    await client.end()
  }
}

/**
 * Plans a migration from the files and the database, without changes. Throws {@link DatabaseStartError} for anything that would prevent a
 * start, and for a statement whose effects are unknown.
 */
export async function planMigration(client: pg.Client, folder: string): Promise<MigrationPlan> {
  const files = await readMigrationFiles(folder)
  const applied = await appliedMigrations(client)
  const newest = Math.max(0, ...applied.map(({ version }) => version))
  const needed = files.at(-1)?.version ?? 0
  const releases = await readReleases(folder)
  const running = releaseAt(newest, releases)
  const migrations: PlannedMigration[] = []
  // An upgrade may be under way, or have been interrupted: processes of the release before it do not use what it has made so far.
  const base = releaseUpTo(newest, releases)
  const made = new Set<string>()
  const finished = Math.max(base?.newest ?? newest, await newestOfFunctions(client))
  for (const file of files.filter(({ version }) => version > finished && version <= newest)) await plannedMigration(file, made)
  for (const file of pendingMigrations(files, applied)) migrations.push(await plannedMigration(file, made))
  const functions = await changedFunctions(client, { folder: join(folder, 'functions'), release: needed })
  const excused = new Set(
    files.flatMap((file) => removalsOf(file).filter(({ since }) => base && isAtLeast(base, since, releases))).map(({ what }) => what),
  )
  const isExcused = (what: string) => excused.has(what) || [...excused].some((each) => each.startsWith(`${what}(`))
  const missed = newest === 0 ? [] : migrations.flatMap(({ breakingChanges }) => breakingChanges).filter((what) => !isExcused(what))
  const tables = migrations.flatMap(({ effects }) => effects.flatMap(({ locks }) => locks.map(({ table }) => table)))
  return {
    applied: newest,
    needed,
    running,
    migrations,
    functions: functions.map(({ name }) => name),
    missed,
    sizes: await sizesOf(client, tables),
  }
}

/** Ignores objects that the migration removes and creates again. `made`: objects of earlier pending migrations, which no process uses. */
export async function plannedMigration(file: MigrationFile, made: Set<string>): Promise<PlannedMigration> {
  const effects: Effect[] = []
  const removed = new Set<string>()
  for (const { text, node } of await sqlStatements(file.sql)) {
    const judged = classify(node, file.name, text)
    for (const effect of judged) {
      const isOfNewTable = ({ table }: { table: string }) => made.has(`table ${table}`)
      const narrowed = effect.narrowed.filter((table) => !made.has(`table ${table}`)).map((table) => `narrows ${table}`)
      for (const what of [
        ...effect.removed.filter((each) => !made.has(each) && !each.startsWith('index ')).map((each) => `removes ${each}`),
        ...narrowed,
      ])
        removed.add(what)
      for (const each of effect.made) {
        made.add(each)
        removed.delete(`removes ${each}`)
      }
      effects.push({ ...effect, locks: effect.locks.filter((lock) => !isOfNewTable(lock)) })
    }
  }
  return { name: file.name, outside: isOutsideTransaction(file.sql), effects, breakingChanges: [...removed] }
}

function classify(node: Parameters<typeof effectsOf>[0], name: string, text: string): Effect[] {
  try {
    return effectsOf(node)
  } catch (cause) {
    const words = cause instanceof Error ? cause.message : String(cause)
    throw new DatabaseStartError(`the migration ${name} cannot be planned: ${words}: ${text.split('\n', 1)[0]}`, { cause })
  }
}

function isAtLeast(base: Release, since: string, releases: Release[]): boolean {
  const first = releases.findIndex(({ version }) => version === since)
  return first >= 0 && releases.indexOf(base) >= first
}

async function sizesOf(client: pg.Client, tables: string[]): Promise<MigrationPlan['sizes']> {
  const { rows } = await client.query<{ name: string; rows: number; bytes: number }>(sizesSql, [[...new Set(tables)]])
  return new Map(rows.map(({ name, ...size }) => [name, size]))
}

/** For a partitioned table, all its partitions together. */
const sizesSql = `select name, coalesce(sum(greatest(reltuples, 0)) filter (where relkind <> 'p'), 0)::float as rows,
    coalesce(sum(pg_total_relation_size(c.oid)), 0)::float as bytes
  from unnest($1::text[]) as name
    cross join lateral (select to_regclass(name) as top union select relid from pg_partition_tree(to_regclass(name))) as tree
    join pg_class c on c.oid = tree.top
  group by name`
