import type { Node } from 'libpg-query'
import pg from 'pg'
import { DatabaseStartError } from '../databaseStartError.ts'
import type { Log } from '../log.ts'
import type { ShowProgress } from '../progress.ts'
import { lockWaitMilliseconds } from './migrationLock.ts'
import { type SqlStatement, sqlStatements } from './sqlStatements.ts'
import { watchIndexBuild } from './watchIndexBuild.ts'

/** The first line of a migration that runs without a transaction. */
const header = '-- outside a transaction\n'

/** Whether a migration runs outside a transaction, as `create index concurrently` must. */
export function isOutsideTransaction(sql: string): boolean {
  return sql.startsWith(header)
}

/**
 * Runs the statements of a migration in order, each in its own transaction. After a crash, a repeated run continues: a valid index stays,
 * an invalid one is dropped and built again, and all other allowed statements are idempotent. Reads and writes continue meanwhile: an index
 * built concurrently waits for earlier transactions, as long as they take, and blocks only other changes of the table.
 * Throws {@link DatabaseStartError} for a statement that is not idempotent or would block a table.
 */
export async function runOutsideTransaction(client: pg.Client, { name, sql, url, log, showProgress }: OutsideMigration): Promise<void> {
  const steps = (await sqlStatements(sql)).map((statement) => stepOf(statement, name))
  for (const { text, index, patient } of steps) {
    await client.query(`set lock_timeout = ${patient ? 0 : lockWaitMilliseconds}`)
    try {
      if (index && (await stateOf(client, index)) === 'whole') continue
      if (index && (await stateOf(client, index)) === 'broken') {
        log.warn({ migration: name, index: index.name }, 'an invalid index is built again')
        await client.query(`drop index concurrently ${quoted(index)}`)
      }
      log.info({ migration: name, statement: text.split('\n', 1)[0] }, 'running a statement that may take long')
      await (index ? queryWithProgress(client, text, { url, showProgress }) : client.query(text))
    } finally {
      await client.query(`set lock_timeout = ${lockWaitMilliseconds}`).catch(() => undefined)
    }
  }
}

/** `url`: for a second connection, which watches the build of an index. */
type OutsideMigration = { name: string; sql: string; url: string; log: Log; showProgress: ShowProgress }

async function queryWithProgress(client: pg.Client, text: string, watched: { url: string; showProgress: ShowProgress }): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const stopWatching = watchIndexBuild({ ...watched, pid: rows[0]?.pid ?? 0 })
  try {
    await client.query(text)
  } finally {
    await stopWatching()
  }
}

type IndexName = { schema: string | undefined; name: string }

/** `index`: the index that it builds. `patient`: waits for its locks without a limit, since no read or write queues behind it. */
type Step = { text: string; index?: IndexName; patient: boolean }

function stepOf({ text, node }: SqlStatement, file: string): Step {
  const index = builtIndex(node)
  if (index) return { text, index, patient: true }
  if ('DropStmt' in node && node.DropStmt.concurrent === true && node.DropStmt.missing_ok === true) return { text, patient: true }
  if (isValidation(node)) return { text, patient: true }
  if ('DoStmt' in node) return { text, patient: false }
  throw new DatabaseStartError(
    `the migration ${file} runs outside a transaction and may not contain "${text.split('\n', 1)[0]}": ` +
      'only create index concurrently, drop index concurrently if exists, alter table validate constraint and do are allowed',
  )
}

function builtIndex(node: Node): IndexName | undefined {
  if (!('IndexStmt' in node)) return undefined
  const { concurrent, if_not_exists: ifNotExists, idxname: name, relation } = node.IndexStmt
  // `if not exists` would accept an invalid index.
  return concurrent === true && ifNotExists !== true && name !== undefined ? { schema: relation?.schemaname, name } : undefined
}

function isValidation(node: Node): boolean {
  if (!('AlterTableStmt' in node)) return false
  const commands = node.AlterTableStmt.cmds ?? []
  return commands.every((command) => 'AlterTableCmd' in command && command.AlterTableCmd.subtype === 'AT_ValidateConstraint')
}

async function stateOf(client: pg.Client, index: IndexName): Promise<'none' | 'broken' | 'whole'> {
  const { rows } = await client.query<{ whole: boolean }>(
    'select indisvalid and indisready as whole from pg_index where indexrelid = to_regclass($1)',
    [quoted(index)],
  )
  const [found] = rows
  if (!found) return 'none'
  return found.whole ? 'whole' : 'broken'
}

function quoted({ schema, name }: IndexName): string {
  return [schema, name].flatMap((part) => (part === undefined ? [] : [pg.escapeIdentifier(part)])).join('.')
}
