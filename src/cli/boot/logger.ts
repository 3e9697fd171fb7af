import pino from 'pino'
import type { Config } from '../../config/readConfig.ts'
import { logTraceFields } from '../../tracing/tracing.ts'
import { foldRepeats } from './foldRepeats.ts'
import { loggedFields } from './loggedFields.ts'
import { prettyLines } from './prettyLines.ts'

type LoggerOptions = {
  level: Config['logLevel']
  destination?: pino.DestinationStream | undefined
  /** How long equal warnings and errors are counted instead of written, in milliseconds. */
  repeatsMs?: number
}

/** Whether `LOG_FORMAT` and standard output ask for lines of text. */
export function isPretty({ logFormat }: Pick<Config, 'logFormat'>): boolean {
  return logFormat === 'pretty' || (logFormat === 'auto' && process.stdout.isTTY)
}

/** The logger of a command: by `LOG_FORMAT`, text lines for a terminal or JSON lines. */
export function commandLogger({ logLevel: level, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): pino.Logger {
  return makeLogger({ level, destination: isPretty({ logFormat }) ? prettyLines(process.stdout) : undefined })
}

/**
 * Writes one JSON line per event to standard output or to `destination`. Fields pass an allow-list; the message is written unchanged and
 * must be constant. Equal warnings and errors within `repeatsMs` become one entry with `repeated`, their number.
 * Contract: docs/contract.md#logs-and-telemetry.
 */
export function makeLogger({ level, destination, repeatsMs = 10_000 }: LoggerOptions): pino.Logger {
  const fold = foldRepeats(repeatsMs)
  const options: pino.LoggerOptions = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label) => ({ level: label }),
      log: (fields) => loggedFields(fields),
    },
    hooks: {
      logMethod(values, write, entryLevel) {
        const [first, second, ...rest] = values as unknown[]
        const fields = first instanceof Error ? { error: first } : first
        const message = repeatsErrorMessage(fields, second) ? 'unexpected error' : second
        if (entryLevel < warnLevel || !isFields(fields)) write.call(this, ...([fields, message, ...rest] as typeof values))
        else
          fold(keyOf(message, fields), (repeated) =>
            write.call(this, repeated === undefined ? fields : { ...fields, repeated }, message as string),
          )
      },
    },
    mixin: () => logTraceFields() ?? {},
    // The allow-list has already converted errors to plain values.
    serializers: { err: (value) => value, error: (value) => value },
  }
  const logger = destination === undefined ? pino(options) : pino(options, destination)
  return redactChildren(logger)
}

const warnLevel = pino.levels.values['warn'] ?? 40

/** Equal for entries that differ only in the request. */
function keyOf(message: unknown, fields: object): string {
  const { requestId: _, ...rest } = loggedFields(fields)
  return JSON.stringify([message, rest])
}

function isFields(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** An error without a message would provide the message, and Fastify logs errors with theirs. */
function repeatsErrorMessage(fields: unknown, message: unknown): boolean {
  if (!isFields(fields)) return false
  const errors = Object.values(fields).filter((value) => value instanceof Error)
  return errors.some(({ message: own }) => message === undefined || message === own)
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
