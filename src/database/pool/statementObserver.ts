import type pg from 'pg'
import { isTracing, openChild, type Span } from '../../tracing/tracing.ts'
import type { Log } from '../log.ts'

/** Who is told how long the database takes. Times are seconds. */
export type DatabaseMeasures = {
  statement(seconds: number): void
  slowStatement(name: string): void
  connectionWait(seconds: number): void
}

/** `slowMilliseconds`: from when on a statement, or a wait for a connection, is written into the log. */
export type StatementObserverOptions = { log: Log; measures: DatabaseMeasures; slowMilliseconds: number }

/** Of one name so often at most; the line says how many more there were. */
const lineMilliseconds = 1000

type Asked = string | { name?: string | undefined; text?: string }

/** What may be said of statements: how they are called, never what they are given. */
export type StatementObserver = {
  ended(asked: Asked, begunAt: number): void
  waited(begunAt: number): void
}

/** Measures every statement and every wait for a connection, and tells of those that were slow. Times are of `performance.now()`. */
export function statementObserver({ log, measures, slowMilliseconds }: StatementObserverOptions): StatementObserver {
  const slowLine = throttledLog((name, ms, more) => log.warn({ statement: name, ms, more }, 'a slow statement'))
  const waitLine = throttledLog((_, ms, more) => log.warn({ ms, more }, 'a long wait for a connection of the pool'))
  return {
    ended(asked, begunAt) {
      const ms = performance.now() - begunAt
      measures.statement(ms / 1000)
      if (ms < slowMilliseconds) return
      const name = statementName(asked)
      measures.slowStatement(name)
      slowLine(name, Math.round(ms))
    },
    waited(begunAt) {
      const ms = performance.now() - begunAt
      measures.connectionWait(ms / 1000)
      if (ms >= slowMilliseconds) waitLine('', Math.round(ms))
    },
  }
}

function throttledLog(write: (name: string, ms: number, more: number) => void): (name: string, ms: number) => void {
  const told = new Map<string, { at: number; more: number }>()
  return (name, ms) => {
    const now = performance.now()
    const last = told.get(name)
    if (last && now - last.at < lineMilliseconds) {
      last.more++
      return
    }
    told.set(name, { at: now, more: 0 })
    write(name, ms, last?.more ?? 0)
  }
}

/** Of a statement within a trace, by its name; none where nothing is traced. */
export function startStatementSpan(asked: Asked): Span | undefined {
  return isTracing() ? openChild(statementName(asked), { kind: 'client', attributes: { 'db.system.name': 'postgresql' } }) : undefined
}

/** The name under which a statement was prepared; of others, as the ORM and the job queue make them, the verb and the first table. */
function statementName(asked: Asked): string {
  const { name, text = '' } = typeof asked === 'string' ? { name: undefined, text: asked } : asked
  if (name !== undefined) return /^[\w./ -]{1,80}$/.test(name) ? name : 'other'
  const verb = /^\s*(?:--[^\n]*\s+|\/\*[^*]*\*\/\s*)*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? 'other'
  const table = /\b(?:from|into|update|call)\s+("?[a-z_]\w*"?(?:\."?[a-z_]\w*"?)?)/i.exec(text)?.[1]?.replaceAll('"', '')
  return table === undefined ? verb : `${verb} ${table}`
}

/** Measures how long whoever asks waits for a connection. */
export function instrumentConnect(pool: pg.Pool, watch: StatementObserver): typeof pool.connect {
  const connect = pool.connect.bind(pool) as (...values: unknown[]) => unknown
  const watched = (...values: unknown[]) => {
    const begunAt = performance.now()
    const answer = connect(...values)
    if (answer instanceof Promise)
      answer.then(
        () => watch.waited(begunAt),
        () => watch.waited(begunAt),
      )
    return answer
  }
  return watched as typeof pool.connect
}
