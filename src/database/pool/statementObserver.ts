import type pg from 'pg'
import { isTracing, openChild, type Span } from '../../tracing/tracing.ts'
import type { Log } from '../log.ts'

/** Receives durations, in seconds. */
export type DatabaseMeasures = {
  statement(seconds: number): void
  slowStatement(name: string): void
  connectionWait(seconds: number): void
}

/** A statement, or a wait for a connection, is logged from `slowMilliseconds` on. */
export type StatementObserverOptions = { log: Log; measures: DatabaseMeasures; slowMilliseconds: number }

/** At most one log line for a statement in this time; the line counts the others. */
const lineMilliseconds = 1000

type StatementConfig = string | { name?: string | undefined; text?: string }

/** Reports statements by name, never their values. */
export type StatementObserver = {
  ended(config: StatementConfig, begunAt: number): void
  waited(begunAt: number): void
}

/** Measures every statement and every wait for a connection, and logs slow ones. Times are those of `performance.now()`. */
export function statementObserver({ log, measures, slowMilliseconds }: StatementObserverOptions): StatementObserver {
  const slowLine = throttledLog((name, ms, more) => log.warn({ statement: name, ms, more }, 'a slow statement'))
  const waitLine = throttledLog((_, ms, more) => log.warn({ ms, more }, 'a long wait for a connection of the pool'))
  return {
    ended(config, begunAt) {
      const ms = performance.now() - begunAt
      measures.statement(ms / 1000)
      if (ms < slowMilliseconds) return
      const name = statementName(config)
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
  const lines = new Map<string, { at: number; more: number }>()
  return (name, ms) => {
    const now = performance.now()
    const last = lines.get(name)
    if (last && now - last.at < lineMilliseconds) {
      last.more++
      return
    }
    lines.set(name, { at: now, more: 0 })
    write(name, ms, last?.more ?? 0)
  }
}

/** Starts a span named after the statement; undefined outside of a trace. */
export function startStatementSpan(config: StatementConfig): Span | undefined {
  return isTracing() ? openChild(statementName(config), { kind: 'client', attributes: { 'db.system.name': 'postgresql' } }) : undefined
}

/** The name of a prepared statement. For others, from the ORM and the job queue: the verb and the first table. */
function statementName(config: StatementConfig): string {
  const { name, text = '' } = typeof config === 'string' ? { name: undefined, text: config } : config
  if (name !== undefined) return /^[\w./ -]{1,80}$/.test(name) ? name : 'other'
  const verb = /^\s*(?:--[^\n]*\s+|\/\*[^*]*\*\/\s*)*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? 'other'
  const table = /\b(?:from|into|update|call)\s+("?[a-z_]\w*"?(?:\."?[a-z_]\w*"?)?)/i.exec(text)?.[1]?.replaceAll('"', '')
  return table === undefined ? verb : `${verb} ${table}`
}

/** Measures how long callers wait for a connection. */
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
