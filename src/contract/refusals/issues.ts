import { z } from 'zod'
import { withNearestName } from './nearestName.ts'
import { type Issue, type IssueCode, Refusal } from './refusals.ts'

/** The limit of issues in a refusal: a hostile body can cause tens of thousands. */
export const issuesMax = 100

/** The `params` of a custom zod issue: its issue code. */
export type CustomParams = { issue: IssueCode; allowed?: unknown[] }

/**
 * Parses `input` with a strict schema. Refusals: invalid_request, with the first {@link issuesMax} problems in `details.issues`.
 * Contract: docs/contract.md#issues.
 */
export function parseOrRefuse<Schema extends z.ZodType>(schema: Schema, input: unknown, place: Issue['in']): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  throw refusalOfZod(parsed.error, input, place, schema)
}

/** `schema`: the failed schema, if known; for an unknown field the refusal suggests the most similar field of the schema. */
export function refusalOfZod(error: z.ZodError, input: unknown, place: Issue['in'], schema?: z.ZodType): Refusal {
  const issues = error.issues
    .slice(0, issuesMax)
    .flatMap((issue) => issuesOf(issue, input, place, schema))
    .slice(0, issuesMax)
  const first = issues[0]
  const where = first && first.path.length > 0 ? `${first.path.join('.')}: ` : ''
  return new Refusal('invalid_request', { issues }, first ? { message: where + first.message } : {})
}

function issuesOf(issue: z.core.$ZodIssue, input: unknown, place: Issue['in'], schema: z.ZodType | undefined): Issue[] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))
  if (issue.code === 'unrecognized_keys') {
    const names = fieldsAt(schema, path)
    const message = place === 'query' ? 'Unknown query parameter.' : 'Unknown field.'
    return issue.keys
      .slice(0, issuesMax)
      .map((key) => withNearestName({ in: place, path: [...path, key], code: 'unknown_field', message }, key, names))
  }
  const value = getPath(input, path)
  if (value === undefined && issue.code !== 'custom') return [{ in: place, path, code: 'required', message: 'This field is required.' }]
  const found: Issue = { in: place, path, ...describeIssue(issue) }
  return [found.code === 'not_allowed' ? withNearestName(found, value, found.allowed ?? []) : found]
}

function describeIssue(issue: Exclude<z.core.$ZodIssue, z.core.$ZodIssueUnrecognizedKeys>): Omit<Issue, 'in' | 'path'> {
  switch (issue.code) {
    case 'too_small':
      return { code: 'too_small', message: `Takes at least ${issue.minimum}${unitOf(issue.origin)}.` }
    case 'too_big':
      return { code: issue.origin === 'string' ? 'too_long' : 'too_big', message: `Takes at most ${issue.maximum}${unitOf(issue.origin)}.` }
    case 'invalid_value':
      return { code: 'not_allowed', message: `Takes one of: ${issue.values.join(', ')}.`, allowed: [...issue.values] }
    case 'invalid_format':
      return { code: 'bad_format', message: issue.message }
    case 'custom': {
      const params = issue.params as CustomParams | undefined
      const allowed = params?.allowed ? { allowed: params.allowed } : {}
      return { code: params?.issue ?? 'bad_format', message: issue.message, ...allowed }
    }
    case 'invalid_type':
      return { code: 'wrong_type', message: `Takes ${kinds[issue.expected] ?? issue.expected}.` }
    default:
      return { code: 'wrong_type', message: 'This value has the wrong type.' }
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters'
  return origin === 'array' ? ' entries' : ''
}

/** The member of a value at `path`; `undefined` when there is none. */
export function getPath(input: unknown, path: (string | number)[]): unknown {
  let value = input
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string | number, unknown>)[step]
  }
  return value
}

/** The field names of the object schema at `path`; empty when the schema there is not an object with fixed fields. */
function fieldsAt(schema: z.ZodType | undefined, path: readonly (string | number)[]): string[] {
  const object = path.reduce<z.core.$ZodType | undefined>((here, step) => stepInto(bare(here), step), schema)
  const found = bare(object)
  return found instanceof z.ZodObject ? Object.keys(found.shape) : []
}

function stepInto(schema: z.core.$ZodType | undefined, step: string | number): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodArray) return schema.element
  return schema instanceof z.ZodObject ? (schema.shape as Record<string, z.core.$ZodType>)[step] : undefined
}

/** The schema inside `optional` and `nullable`. */
function bare(schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? bare(schema.unwrap()) : schema
}
