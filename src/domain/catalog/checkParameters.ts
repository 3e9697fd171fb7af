import type { Json } from '../../contract/json.ts'
import { issuesMax } from '../../contract/refusals/issues.ts'
import { withNearestName } from '../../contract/refusals/nearestName.ts'
import type { Issue } from '../../contract/refusals/refusals.ts'
import { mediaFields } from '../../contract/shapes/media.ts'
import type { Family, Variant } from './family.ts'
import { invalidParameters, parameterIssues } from './parameterIssues.ts'

/** A text that is only an address, embedded bytes or an identifier of this service. Such a text is a media input in the wrong place. */
const mediaText = /^\s*(?:data:|https?:\/\/\S+\s*$|(?:file|gen)_[0-9a-hjkmnp-tv-z]{26}\s*$)/i

/**
 * Returns the parameters for the generation as a new object: those of the request, validated against the variant's schema without
 * coercion, and the defaults of omitted ones.
 * Refusals: `invalid_parameters` with one issue per invalid place, for a name that the variant does not have, and for media.
 * Contract: docs/contract.md#choose-a-variant.
 */
export function checkParameters(family: Family, variant: Variant, parameters: Readonly<Record<string, unknown>>): Record<string, Json> {
  const { names, validate } = variant.parameterRules
  const issues: Issue[] = []
  const known: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(parameters)) {
    if (names.has(name)) known[name] = structuredClone(value)
    else if (issues.length < issuesMax) issues.push(unknownName(family, variant, name))
  }
  if (!validate(known)) issues.push(...parameterIssues(validate.errors ?? [], known))
  if (issues.length > 0) throw invalidParameters(issues, variant.modelId)
  const mediaIssues = findMedia(known, ['parameters'])
  if (mediaIssues.length > 0) throw invalidParameters(mediaIssues, variant.modelId)
  return known as Record<string, Json>
}

function unknownName(family: Family, variant: Variant, name: string): Issue {
  const allowed = [...variant.parameterNames]
  const unknown = (message: string): Issue => ({ in: 'body', path: ['parameters', name], code: 'unknown_field', message, allowed })
  if (name === 'prompt') return unknown('Send the prompt at the top level of the request.')
  if (mediaFields.some((field) => field === name)) return unknown(`Send media at the top level of the request, in ${name}.`)
  const isKnown = Object.hasOwn(family.parameters.properties, name)
  return isKnown
    ? unknown('The chosen variant does not take this parameter.')
    : withNearestName(unknown('The family has no such parameter.'), name, allowed)
}

/** Call it only with a value that passed the schema, which bounds its depth. */
function findMedia(value: unknown, path: (string | number)[]): Issue[] {
  if (typeof value === 'string') return mediaText.test(value) ? [mediaIssue(path)] : []
  if (Array.isArray(value)) return value.flatMap((item, index) => findMedia(item, [...path, index]))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => findMedia(item, [...path, name]))
}

function mediaIssue(path: (string | number)[]): Issue {
  return {
    in: 'body',
    path,
    code: 'not_allowed',
    message: 'Send media as identifiers at the top level of the request, not in parameters.',
  }
}
