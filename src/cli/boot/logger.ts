import pino from 'pino'
import type { Config } from '../../config/readConfig.ts'
import { logTraceFields } from '../../tracing/tracing.ts'
import { loggedFields } from './loggedFields.ts'
import { prettyLines } from './prettyLines.ts'

type LoggerOptions = { level: Config['logLevel']; destination?: pino.DestinationStream | undefined }

/** The logger of a command: words on a terminal unless `LOG_FORMAT` says otherwise, else JSON lines. */
export function commandLogger({ logLevel: level, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): pino.Logger {
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stdout.isTTY)
  return makeLogger({ level, destination: isPretty ? prettyLines(process.stdout) : undefined })
}

/**
 * Writes one JSON line per event to standard output or to `destination`. Fields pass an allow-list; the message is written unchanged and
 * must be constant.
 * Contract: docs/contract.md#logs-and-telemetry.
 */
export function makeLogger({ level, destination }: LoggerOptions): pino.Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label) => ({ level: label }),
      log: (fields) => loggedFields(fields),
    },
    hooks: {
      logMethod(values, write) {
        const [first, words, ...rest] = values as unknown[]
        const fields = first instanceof Error ? { error: first } : first
        if (repeatsErrorMessage(fields, words)) write.call(this, fields, 'unexpected error')
        else write.call(this, ...([fields, words, ...rest] as typeof values))
      },
    },
    mixin: () => logTraceFields() ?? {},
    // The allow-list has already converted errors to plain values.
    serializers: { err: (value) => value, error: (value) => value },
  }
  const logger = destination === undefined ? pino(options) : pino(options, destination)
  return redactChildren(logger)
}

/** An error without a message would provide the message, and Fastify logs errors with theirs. */
function repeatsErrorMessage(fields: unknown, words: unknown): fields is object {
  if (typeof fields !== 'object' || fields === null) return false
  const errors = Object.values(fields).filter((value) => value instanceof Error)
  return errors.some(({ message }) => words === undefined || words === message)
}

/** Formatters do not see the bindings of child loggers. This also covers children of children. */
function redactChildren(logger: pino.Logger): pino.Logger {
  const child: (this: pino.Logger, bindings: pino.Bindings, options?: pino.ChildLoggerOptions) => pino.Logger = logger.child
  return Object.assign(logger, {
    child(this: pino.Logger, bindings: pino.Bindings, options?: pino.ChildLoggerOptions): pino.Logger {
      return child.call(this, loggedFields(bindings), options)
    },
  })
}
