import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { DatabaseStartError } from '../databaseStartError.ts'

export type SqlFunction = { name: string; sql: string; checksum: string }

const appliedTable = `
create table if not exists schema_functions (
  name text primary key,
  checksum text not null,
  release integer not null,
  applied_at timestamptz not null default now()
)`

/**
 * Applies the changed function files of `folder`, in one transaction; returns their names. `release` is the newest migration of this code:
 * a function that a newer release applied is kept, so that an older process that starts late does not revert it. A file contains one
 * `create or replace function`. A function with other arguments or another result needs a new name; a later migration drops the old one.
 */
export async function applyFunctions(client: pg.Client, { folder, release }: FunctionsOfRelease): Promise<string[]> {
  await client.query(appliedTable)
  const changed = await changedFunctions(client, { folder, release })
  if (changed.length === 0) return []
  await client.query('begin')
  try {
    // Functions call one another, so their order would matter for the check.
    await client.query('set local check_function_bodies = off')
    for (const { name, sql, checksum } of changed) {
      await client.query(sql)
      await client.query(recordAppliedFunction, [name, checksum, release])
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
  return changed.map(({ name }) => name)
}

export type FunctionsOfRelease = { folder: string; release: number }

/** Returns the files that {@link applyFunctions} would apply; all of them for a new database. */
export async function changedFunctions(client: pg.Client, { folder, release }: FunctionsOfRelease): Promise<SqlFunction[]> {
  const files = await readFunctionFiles(folder)
  const applied = await appliedFunctions(client)
  return files.filter(({ name, checksum }) => {
    const present = applied.get(name)
    return present === undefined || (present.checksum !== checksum && present.release <= release)
  })
}

/** Returns the newest release that applied a function. All migrations up to it were applied before, so processes may use what they made. */
export async function newestOfFunctions(client: pg.Client): Promise<number> {
  return Math.max(0, ...[...(await appliedFunctions(client)).values()].map(({ release }) => release))
}

type AppliedFunction = { name: string; checksum: string; release: number }

async function appliedFunctions(client: pg.Client): Promise<Map<string, AppliedFunction>> {
  try {
    const { rows } = await client.query<AppliedFunction>('select name, checksum, release from schema_functions')
    return new Map(rows.map((row) => [row.name, row]))
  } catch (error) {
    if ((error as { code?: string }).code === '42P01') return new Map()
    throw error
  }
}

const recordAppliedFunction = `insert into schema_functions (name, checksum, release) values ($1, $2, $3)
  on conflict (name) do update set checksum = excluded.checksum, release = excluded.release, applied_at = now()`

/** Throws {@link DatabaseStartError} for a file that does not define the function of its name. */
async function readFunctionFiles(folder: string): Promise<SqlFunction[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const files = names.filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    files.map(async (file) => {
      const name = file.slice(0, -'.sql'.length)
      const sql = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n')
      if (!new RegExp(`^create or replace function ${name}\\(`, 'm').test(sql)) {
        throw new DatabaseStartError(`the file functions/${file} does not contain "create or replace function ${name}("`)
      }
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}
