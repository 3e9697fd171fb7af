import { limits } from '../../contract/limits.ts'
import { issuesMax } from '../../contract/refusals/issues.ts'
import { appendSuggestion, nearestName, withNearestName } from '../../contract/refusals/nearestName.ts'
import { type Issue, Refusal } from '../../contract/refusals/refusals.ts'
import { fieldsOfMedium, type MediaField, media, mediaFields } from '../../contract/shapes/media.ts'
import type { Family, Variant } from './family.ts'
import { invalidParameters } from './parameterIssues.ts'
import { countOf, type MediaCounts, taskOf } from './taskOf.ts'

/** The parts of a request that select a variant. The request schema allows `axes` or `modelId`, not both. */
export type RequestShape = {
  axes?: Readonly<Record<string, string>> | undefined
  modelId?: string | undefined
  /** False for an absent or empty prompt. */
  hasPrompt: boolean
  media: MediaCounts
}

/** A row of `details.available` in a `variant_not_resolved`. */
export type AvailableVariant = Pick<Variant, 'modelId' | 'axes' | 'inputs'> & { task: string }

/**
 * Returns the variant that accepts the request: by its axis values, with defaults for omitted axes, or by `modelId`; then by its inputs.
 * An omitted axis keeps its default even when only other values accept these inputs, because its value determines quality and price.
 * Refusals: `invalid_parameters` for an unknown axis name or value and for a missing prompt; otherwise `variant_not_resolved`, with the
 * accepted combinations. Contract: docs/contract.md#choose-a-variant.
 */
export function resolveVariant(family: Family, shape: RequestShape): Variant {
  const candidates =
    shape.modelId === undefined
      ? variantsOnAxes(family, chosenAxes(family, shape.axes ?? {}))
      : family.variants.filter((variant) => variant.modelId === shape.modelId)
  const takingMedia = exceedsTotal(shape) ? [] : candidates.filter((variant) => mismatch(variant, shape.media).distance === 0)
  const resolved = takingMedia.find((variant) => takesPrompt(variant, shape.hasPrompt))
  if (resolved) return resolved
  const promptless = takingMedia[0]
  if (promptless && !shape.hasPrompt) throw promptMissing(promptless)
  throw notResolved(family, shape, candidates)
}

/** All axes of the family, with the value of the request or the default. */
function chosenAxes(family: Family, axes: Readonly<Record<string, string>>): Map<string, string> {
  const issues: Issue[] = []
  const chosen = new Map(family.axes.map((axis) => [axis.name, axis.default]))
  for (const [name, value] of Object.entries(axes)) {
    if (issues.length === issuesMax) break
    const axis = family.axes.find((each) => each.name === name)
    if (!axis) {
      const allowed = family.axes.map((each) => each.name)
      const message = 'The family has no axis of this name.'
      issues.push(withNearestName({ in: 'body', path: ['axes', name], code: 'unknown_field', message, allowed }, name, allowed))
    } else if (axis.values.includes(value)) {
      chosen.set(name, value)
    } else {
      const message = `The axis ${name} takes one of: ${axis.values.join(', ')}.`
      const issue: Issue = { in: 'body', path: ['axes', name], code: 'not_allowed', message, allowed: [...axis.values] }
      issues.push(withNearestName(issue, value, axis.values))
    }
  }
  if (issues.length > 0) throw invalidParameters(issues, null)
  return chosen
}

function variantsOnAxes(family: Family, chosen: Map<string, string>): Variant[] {
  return family.variants.filter((variant) => family.axes.every((axis) => variant.axes[axis.name] === chosen.get(axis.name)))
}

function exceedsTotal(shape: RequestShape): boolean {
  return media.reduce((sum, medium) => sum + countOf(shape.media, medium), 0) > limits.mediaInputs
}

function takesPrompt(variant: Variant, hasPrompt: boolean): boolean {
  return hasPrompt ? variant.inputs.prompt.maxLength !== 0 : !variant.inputs.prompt.required
}

function promptMissing(variant: Variant): Refusal {
  return invalidParameters([{ in: 'body', path: ['prompt'], code: 'required', message: 'The variant needs a prompt.' }], variant.modelId)
}

type Mismatch = { missing: MediaField[]; excess: MediaField[]; distance: number }

/**
 * Returns the fields with too few or too many inputs for the variant, and a distance; 0 when the variant accepts the media.
 * A medium in the wrong field adds 1 to the distance. A medium that the variant does not take adds 1 more.
 */
function mismatch(variant: Variant, counts: MediaCounts): Mismatch {
  const found: Mismatch = { missing: [], excess: [], distance: 0 }
  for (const medium of media) {
    const { min, max, field: expectedField } = variant.inputs[medium]
    const count = counts[expectedField] ?? 0
    const misplaced = fieldsOfMedium[medium].filter((field) => field !== expectedField && (counts[field] ?? 0) > 0)
    if (count < min) found.missing.push(expectedField)
    if (count > max) found.excess.push(expectedField)
    found.excess.push(...misplaced)
    const over = Math.max(count - max, 0) + countOf(counts, medium) - count
    found.distance += Math.max(min - count, over, 0) + (max === 0 && over > 0 ? 1 : 0)
  }
  return found
}

function notResolved(family: Family, shape: RequestShape, candidates: readonly Variant[]): Refusal {
  const nearest = candidates
    .map((variant) => mismatch(variant, shape.media))
    .reduce<Mismatch | undefined>((best, each) => (best && best.distance <= each.distance ? best : each), undefined)
  const suggestion = candidates.length > 0 ? undefined : nearestName(shape.modelId, modelIdsOf(family))
  const reason = reasonOf(family, shape, candidates)
  return new Refusal(
    'variant_not_resolved',
    {
      available: availableFor(family, shape),
      missingInputs: nearest?.missing ?? [],
      excessInputs: nearest ? excessInputs(nearest, shape) : [],
      maxMediaInputs: limits.mediaInputs,
      ...(suggestion === undefined ? {} : { nearest: suggestion }),
    },
    { message: suggestion === undefined ? reason : appendSuggestion(reason, suggestion) },
  )
}

function modelIdsOf(family: Family): string[] {
  return family.variants.map(({ modelId }) => modelId)
}

function excessInputs(nearest: Mismatch, shape: RequestShape): string[] {
  if (nearest.excess.length > 0) return nearest.excess
  if (exceedsTotal(shape)) return mediaFields.filter((field) => (shape.media[field] ?? 0) > 0)
  return nearest.distance === 0 && shape.hasPrompt ? ['prompt'] : []
}

/** The variants that accept these inputs on any axes; all variants when there are none. */
function availableFor(family: Family, shape: RequestShape): AvailableVariant[] {
  const taking = family.variants.filter(
    (variant) => !exceedsTotal(shape) && mismatch(variant, shape.media).distance === 0 && (!shape.hasPrompt || takesPrompt(variant, true)),
  )
  return (taking.length > 0 ? taking : family.variants).map((variant) => ({
    modelId: variant.modelId,
    task: taskOf(variant, shape.media),
    axes: variant.axes,
    inputs: variant.inputs,
  }))
}

function reasonOf(family: Family, shape: RequestShape, candidates: readonly Variant[]): string {
  if (exceedsTotal(shape)) return `A request takes at most ${limits.mediaInputs} media inputs.`
  if (candidates.length > 0) return 'No variant for this request takes this set of inputs.'
  return shape.modelId === undefined
    ? `No variant of ${family.id} has these axis values.`
    : `The family ${family.id} has no variant of this modelId.`
}
