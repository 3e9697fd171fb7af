import type { ErrorObject } from 'ajv/dist/2020.js'
import { getPath, issuesMax } from '../../contract/refusals/issues.ts'
import { withNearestName } from '../../contract/refusals/nearestName.ts'
import { type Issue, type IssueCode, Refusal } from '../../contract/refusals/refusals.ts'

/** Maps a JSON Schema keyword to an issue code and message. Other keywords are `not_allowed`. */
const rules: Record<string, { code: IssueCode; messageFor: (params: Record<string, unknown>) => string }> = {
  required: { code: 'required', messageFor: () => 'This is required.' },
  dependentRequired: { code: 'required', messageFor: () => 'This is required together with the others.' },
  additionalProperties: { code: 'unknown_field', messageFor: () => 'Unknown field.' },
  unevaluatedProperties: { code: 'unknown_field', messageFor: () => 'Unknown field.' },
  type: { code: 'wrong_type', messageFor: ({ type }) => `Takes a value of type ${String(type)}.` },
  enum: { code: 'not_allowed', messageFor: ({ allowedValues }) => `Takes one of: ${formatList(allowedValues)}.` },
  const: { code: 'not_allowed', messageFor: ({ allowedValue }) => `Takes only ${JSON.stringify(allowedValue)}.` },
  multipleOf: { code: 'not_allowed', messageFor: ({ multipleOf }) => `Takes multiples of ${String(multipleOf)}.` },
  minimum: { code: 'too_small', messageFor: ({ limit }) => `Takes at least ${String(limit)}.` },
  exclusiveMinimum: { code: 'too_small', messageFor: ({ limit }) => `Takes more than ${String(limit)}.` },
  minLength: { code: 'too_small', messageFor: ({ limit }) => `Takes at least ${String(limit)} characters.` },
  minItems: { code: 'too_small', messageFor: ({ limit }) => `Takes at least ${String(limit)} items.` },
  minProperties: { code: 'too_small', messageFor: ({ limit }) => `Takes at least ${String(limit)} fields.` },
  maximum: { code: 'too_big', messageFor: ({ limit }) => `Takes at most ${String(limit)}.` },
  exclusiveMaximum: { code: 'too_big', messageFor: ({ limit }) => `Takes less than ${String(limit)}.` },
  maxProperties: { code: 'too_big', messageFor: ({ limit }) => `Takes at most ${String(limit)} fields.` },
  maxLength: { code: 'too_long', messageFor: ({ limit }) => `Takes at most ${String(limit)} characters.` },
  maxItems: { code: 'too_long', messageFor: ({ limit }) => `Takes at most ${String(limit)} items.` },
  pattern: { code: 'bad_format', messageFor: ({ pattern }) => `Takes text of the form ${String(pattern)}.` },
}

/**
 * Converts validation errors of `value` to issues under `parameters`, one per place. A wrong type comes first and hides its consequences.
 */
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
    messageFor: () => 'This value does not fit the schema of the parameters.',
  }
  const child = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty']
  const path: Issue['path'] = ['parameters', ...pathOf(error.instancePath, value)]
  if (typeof child === 'string') path.push(child)
  const allowed = allowedBy(params)
  const issue: Issue = { in: 'body', path, code: rule.code, message: rule.messageFor(params), ...(allowed ? { allowed } : {}) }
  return allowed ? withNearestName(issue, getPath(value, path.slice(1)), allowed) : issue
}

/** Lists at most 12 values; `allowed` has all of them. */
function formatList(values: unknown): string {
  const texts = (Array.isArray(values) ? values : []).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  return texts.length > 12 ? `${texts.slice(0, 12).join(', ')}, …` : texts.join(', ')
}

function allowedBy(params: Record<string, unknown>): unknown[] | undefined {
  if (Array.isArray(params['allowedValues'])) return [...params['allowedValues']]
  return Object.hasOwn(params, 'allowedValue') ? [params['allowedValue']] : undefined
}

/** Converts a JSON pointer to an issue path, with array indexes as numbers. */
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

/** `modelId` is `null` when no variant was chosen. Contract: docs/contract.md#choose-a-variant. */
export function invalidParameters(issues: Issue[], modelId: string | null): Refusal {
  const [first] = issues
  return new Refusal(
    'invalid_parameters',
    { issues: issues.slice(0, issuesMax), modelId },
    first && issues.length === 1 ? { message: first.message } : {},
  )
}
