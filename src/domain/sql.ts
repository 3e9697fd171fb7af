import type { FieldDef, Pool, PoolClient } from 'pg'
import { Refusal, type RefusalCode, refusalTable } from '../contract/refusals/refusals.ts'
import { isOutdatedPlan } from '../database/pool/pool.ts'

/** A statement that PostgreSQL prepares once per connection, by its name. Parameters are `$1`, `$2`, … */
export type Statement<Row> = { readonly name: string; readonly text: string; readonly row?: Row }

/** Runs statements on a pool, or on the connection of a transaction. Column names become camelCase. */
export type Sql = {
  all<Row>(statement: Statement<Row>, values: unknown[]): Promise<Row[]>
  one<Row>(statement: Statement<Row>, values: unknown[]): Promise<Row | undefined>
}

export function statement<Row>(name: string, text: string): Statement<Row> {
  return { name, text }
}

function camelName(column: string): string {
  return column.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

const namesOfFields = new WeakMap<readonly FieldDef[], string[]>()

/** The camelCase names of the columns. A connection returns the same descriptions for each execution of a statement. */
function camelNames(fields: readonly FieldDef[]): string[] {
  let names = namesOfFields.get(fields)
  if (names === undefined) namesOfFields.set(fields, (names = fields.map(({ name }) => camelName(name))))
  return names
}

function camelRow<Row>(names: readonly string[], values: readonly unknown[]): Row {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < names.length; index += 1) row[names[index] as string] = values[index]
  return row as Row
}

/** SQLSTATE classes and system error codes: connection lost, shutting down or starting, out of resources, unreachable. */
const unreachableCodes = /^(08|57P|53|ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN|ENETUNREACH)/
/** SQLSTATE codes of a busy database: statement timeout, deadlock, lock not available, idle timeout, read-only standby. */
const busyCodes = /^(57014|40P01|40001|55P03|25P03|25006)$/
const unreachableMessages =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|and is not queryable|Query read timeout|Cannot use a pool after/i

/** True when the database is unreachable, shutting down or too busy: the request is valid and may be retried. */
function isUnreachable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = (cause as { code?: unknown }).code
    if (typeof code === 'string' && (unreachableCodes.test(code) || busyCodes.test(code))) return true
    if (unreachableMessages.test(cause.message)) return true
    if (cause instanceof AggregateError) return cause.errors.some(isUnreachable)
  }
  return false
}

/** Translates an error raised by our SQL functions (SQLSTATE ATL01), or by an unreachable database, into a refusal; else undefined. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  const raised = error as { code?: unknown; message?: unknown; detail?: unknown }
  if (raised?.code === 'ATL01' && typeof raised.message === 'string' && Object.hasOwn(refusalTable, raised.message)) {
    return new Refusal(raised.message as RefusalCode, JSON.parse(typeof raised.detail === 'string' ? raised.detail : '{}'))
  }
  // Inside a transaction a single statement cannot be retried; the caller retries the whole transaction.
  if (isUnreachable(error) || isOutdatedPlan(error)) return new Refusal('service_unavailable', undefined, { cause: error })
  return undefined
}

/** Binds statements to a pool or to one client of it. Translates database errors into refusals where {@link refusalOf} does. */
export function bindSql(connection: Pick<Pool, 'query'> | Pick<PoolClient, 'query'>): Sql {
  const run = async (query: Statement<unknown>, values: unknown[]) => {
    try {
      return await connection.query<unknown[]>({ name: query.name, text: query.text, values, rowMode: 'array' })
    } catch (error) {
      throw refusalOf(error) ?? error
    }
  }
  return {
    all: async <Row>(query: Statement<Row>, values: unknown[]) => {
      const { fields, rows } = await run(query, values)
      const names = camelNames(fields)
      return rows.map((row) => camelRow<Row>(names, row))
    },
    one: async <Row>(query: Statement<Row>, values: unknown[]) => {
      const { fields, rows } = await run(query, values)
      return rows[0] === undefined ? undefined : camelRow<Row>(camelNames(fields), rows[0])
    },
  }
}
