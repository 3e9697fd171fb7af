import { Refusal } from '../../contract/refusals/refusals.ts'

/** Texts are logged only under these names and under names of identifiers. Add a name only if its text never contains users' data. */
const textNames = new Set([
  'address',
  'cause',
  'claim',
  'code',
  'command',
  'event',
  'familyId',
  'folder',
  'host',
  'job',
  'line',
  'method',
  'migration',
  'outcome',
  'provider',
  'queues',
  'reason',
  'role',
  'roles',
  'route',
  'runner',
  'said',
  'signal',
  'state',
  'statement',
  'subject',
  'task',
  'type',
  'version',
])
const identifierName = /(^id|Ids?|^trace_id)$/
const identifierForm = /^[\w.:-]{1,100}$/
/** Names that the service makes itself from the name of a table and a period, such as generations_2026_11. */
const partitionForm = /^[a-z_]{1,40}_\d{4}(?:_\d\d){1,2}(?:_\d{1,3})?$/
const textCharactersMax = 500
const depthMax = 4

/** Messages of these errors are written by us or by the runtime, without values in them. */
const plainErrorNames = new Set(['AggregateError', 'ConfigError', 'DatabaseStartError', 'RangeError', 'ReferenceError', 'TypeError'])

/**
 * Filters fields for the log: numbers, booleans and times under any name, identifiers in their format, texts under known names, errors
 * without users' values, requests as method and route. Everything else becomes `[hidden]`, so that no prompt, key or token is leaked.
 */
export function loggedFields(fields: object, depth = 0): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, loggedValue(name, value, depth)]))
}

function loggedValue(name: string, value: unknown, depth: number): unknown {
  if (value === undefined || value === null || typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value === 'string') return loggedText(name, value)
  if (value instanceof Date) return value
  if (value instanceof Error) return loggedError(value, depth)
  if (typeof value !== 'object' || depth >= depthMax) return '[hidden]'
  if (name === 'req') return loggedRequest(value)
  if (name === 'res') return { statusCode: (value as { statusCode?: number }).statusCode }
  if (Array.isArray(value)) return value.slice(0, 100).map((entry) => loggedValue(name, entry, depth + 1))
  return ArrayBuffer.isView(value) ? '[hidden]' : loggedFields(value, depth + 1)
}

function loggedText(name: string, text: string): string {
  if (identifierName.test(name)) return identifierForm.test(text) ? text : '[hidden]'
  if (name === 'partitions') return partitionForm.test(text) ? text : '[hidden]'
  if (name === 'error' || name === 'err' || name === 'stack') return framesOf(text)
  return textNames.has(name) ? text.slice(0, textCharactersMax) : '[hidden]'
}

/** Logs the route pattern: the path may contain the token of a link, and the query anything. */
function loggedRequest(request: { method?: unknown; routeOptions?: { url?: unknown } }): object {
  return { method: request.method, route: request.routeOptions?.url }
}

function loggedError(error: Error, depth: number): object {
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  const errors = error instanceof AggregateError ? error.errors : []
  return {
    type: error.name,
    ...(typeof code === 'string' && /^\w{1,60}$/.test(code) ? { code } : {}),
    ...(hasNoValues(error) ? { message: error.message.slice(0, textCharactersMax) } : {}),
    stack: framesOf(error.stack ?? ''),
    ...(cause instanceof Error && depth < depthMax ? { cause: loggedError(cause, depth + 1) } : {}),
    ...(errors.length > 0 && depth < depthMax ? { errors: loggedValue('errors', errors, depth + 1) } : {}),
  }
}

/**
 * Whether the message has no users' values. PostgreSQL repeats values that it could not convert (class 22) or parse (42601), and the ORM
 * puts the whole statement before the message. The operating system only names addresses and folders of this machine.
 */
function hasNoValues(error: Error): boolean {
  const { code, syscall, severity } = error as { code?: unknown; syscall?: unknown; severity?: unknown }
  if (error instanceof Refusal || plainErrorNames.has(error.name) || typeof syscall === 'string') return true
  return error.name === 'error' && typeof severity === 'string' && typeof code === 'string' && !/^(22|42601)/.test(code)
}

/** Drops the first line of a stack, which repeats the message. */
function framesOf(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim())
    .join('\n')
}
