import { DatabaseStartError } from '../../database/databaseStartError.ts'
import { type CheckResult, faultOf } from './check.ts'

const awayWords = 'the database cannot be reached'
/** SQLSTATE of PostgreSQL when all connections are open. */
const tooManyConnections = '53300'
/** Classes of SQLSTATE for a wrong role, password or name of the database. */
const wrongAddress = /^(?:28|3D)/

/**
 * Names the check that a failed opening of the deployment belongs to: `connections` when PostgreSQL accepts no more, `database` when it is
 * unreachable, else `start`.
 */
export function startFault(error: unknown): CheckResult {
  const codes = codesOf(error)
  const isAway = error instanceof DatabaseStartError && error.message.startsWith(awayWords)
  if (codes.includes(tooManyConnections)) {
    return faultOf('connections', isAway ? error.message.replace(awayWords, 'PostgreSQL accepts no more connections') : error)
  }
  if (!isAway || codes.some((code) => wrongAddress.test(code))) return faultOf('start', error)
  return { ...faultOf('database', error), advised: 'database-away' }
}

/** The codes of an error and of its causes. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const { code } = error as { code?: unknown }
  return [...(typeof code === 'string' ? [code] : []), ...codesOf(error.cause)]
}
