import type { ErrorObject } from 'ajv/dist/2020.js'
import { getPath, issuesMax } from '../../contract/refusals/issues.ts'
import { withNearestName } from '../../contract/refusals/nearestName.ts'
import type { Issue, IssueCode } from '../../contract/refusals/refusals.ts'

/** JSON Schema keyword → our code and our words. What is not listed is `not_allowed`. */
const rules: Record<string, { code: IssueCode; words: (params: Record<string, unknown>) => string }> = {
  required: { code: 'required', words: () => 'This is required.' },
  dependentRequired: { code: 'required', words: () => 'This is required beside the others.' },
  additionalProperties: { code: 'unknown_field', words: () => 'Unknown field.' },
  unevaluatedProperties: { code: 'unknown_field', words: () => 'Unknown field.' },
  type: { code: 'wrong_type', words: ({ type }) => `Takes a value of type ${String(type)}.` },
  enum: { code: 'not_allowed', words: ({ allowedValues }) => `Takes one of: ${listed(allowedValues)}.` },
  const: { code: 'not_allowed', words: ({ allowedValue }) => `Takes ${JSON.stringify(allowedValue)} alone.` },
  multipleOf: { code: 'not_allowed', words: ({ multipleOf }) => `Takes multiples of ${String(multipleOf)}.` },
  minimum: { code: 'too_small', words: ({ limit }) => `Takes at least ${String(limit)}.` },
  exclusiveMinimum: { code: 'too_small', words: ({ limit }) => `Takes more than ${String(limit)}.` },
  minLength: { code: 'too_small', words: ({ limit }) => `Takes at least ${String(limit)} characters.` },
  minItems: { code: 'too_small', words: ({ limit }) => `Takes at least ${String(limit)} items.` },
  minProperties: { code: 'too_small', words: ({ limit }) => `Takes at least ${String(limit)} fields.` },
  maximum: { code: 'too_big', words: ({ limit }) => `Takes at most ${String(limit)}.` },
  exclusiveMaximum: { code: 'too_big', words: ({ limit }) => `Takes less than ${String(limit)}.` },
  maxProperties: { code: 'too_big', words: ({ limit }) => `Takes at most ${String(limit)} fields.` },
  maxLength: { code: 'too_long', words: ({ limit }) => `Takes at most ${String(limit)} characters.` },
  maxItems: { code: 'too_long', words: ({ limit }) => `Takes at most ${String(limit)} items.` },
  pattern: { code: 'bad_format', words: ({ pattern }) => `Takes text of the form ${String(pattern)}.` },
}

/** The validator's findings about `value` as issues under `parameters`, one for each place: a wrong type comes first and hides what follows from it. */
export function parameterIssues(errors: readonly ErrorObject[], value: unknown): Issue[] {
  const byPlace = new Map<string, Issue>()
  for (const error of errors) {
    if (byPlace.size === issuesMax) break
    const issue = issueOf(error, value)
    const place = JSON.stringify(issue.path)
    if (!byPlace.has(place)) byPlace.set(place, issue)
  }
  return [...byPlace.values()]
}

function issueOf(error: ErrorObject, value: unknown): Issue {
  const params: Record<string, unknown> = error.params
  const rule = rules[error.keyword] ?? {
    code: 'not_allowed' as const,
    words: () => 'This value does not fit the schema of the parameters.',
  }
  const child = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty']
  const path: Issue['path'] = ['parameters', ...pathOf(error.instancePath, value)]
  if (typeof child === 'string') path.push(child)
  const allowed = allowedBy(params)
  const issue: Issue = { in: 'body', path, code: rule.code, message: rule.words(params), ...(allowed ? { allowed } : {}) }
  return allowed ? withNearestName(issue, getPath(value, path.slice(1)), allowed) : issue
}

/** Some of many: the rest stand in `allowed`. */
function listed(values: unknown): string {
  const words = (Array.isArray(values) ? values : []).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  return words.length > 12 ? `${words.slice(0, 12).join(', ')}, …` : words.join(', ')
}

function allowedBy(params: Record<string, unknown>): unknown[] | undefined {
  if (Array.isArray(params['allowedValues'])) return [...params['allowedValues']]
  return Object.hasOwn(params, 'allowedValue') ? [params['allowedValue']] : undefined
}

/** A JSON pointer as our path, in which the places of an array are numbers. */
function pathOf(pointer: string, value: unknown): (string | number)[] {
  const path: (string | number)[] = []
  let here = value
  for (const escaped of pointer.split('/').slice(1)) {
    const step = escaped.replaceAll('~1', '/').replaceAll('~0', '~')
    path.push(Array.isArray(here) ? Number(step) : step)
    here = typeof here === 'object' && here !== null && Object.hasOwn(here, step) ? (here as Record<string, unknown>)[step] : undefined
  }
  return path
}
