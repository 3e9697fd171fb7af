import { limits } from '../../contract/limits.ts'
import { issuesMax } from '../../contract/refusals/issues.ts'
import { appendSuggestion, nearestName, withNearestName } from '../../contract/refusals/nearestName.ts'
import { type Issue, Refusal } from '../../contract/refusals/refusals.ts'
import { fieldsOfMedium, type MediaField, media, mediaFields } from '../../contract/shapes/media.ts'
import type { Family, Variant } from './family.ts'
import { invalidParameters } from './invalidParameters.ts'
import { countOf, type MediaCounts, taskOf } from './taskOf.ts'

/** The side of a request that picks a variant. `axes` and `modelId` exclude each other, which the body's schema has seen to. */
export type RequestShape = {
  axes?: Readonly<Record<string, string>> | undefined
  modelId?: string | undefined
  /** False for an absent and for an empty prompt. */
  hasPrompt: boolean
  media: MediaCounts
}

/** A row of `details.available` in a `variant_not_resolved`. */
export type AvailableVariant = Pick<Variant, 'modelId' | 'axes' | 'inputs'> & { task: string }

/**
 * The one variant that takes the request: on the axes that it names, an omitted axis standing at its default, or by `modelId`;
 * then by which inputs it has. An omitted axis stays at its default even where only other values take these inputs:
 * the quality level, and with it the price, is the caller's choice, never ours.
 *
 * Refusals: `invalid_parameters` for an axis name or value that the family lacks and for a missing prompt;
 * `variant_not_resolved` for everything else, with what would be taken.
 * Contract: docs/contract.md#choose-a-variant.
 */
export function resolveVariant(family: Family, shape: RequestShape): Variant {
  const candidates =
    shape.modelId === undefined
      ? variantsOnAxes(family, chosenAxes(family, shape.axes ?? {}))
      : family.variants.filter((variant) => variant.modelId === shape.modelId)
  const takingMedia = overTotal(shape) ? [] : candidates.filter((variant) => mismatch(variant, shape.media).distance === 0)
  const resolved = takingMedia.find((variant) => takesPrompt(variant, shape.hasPrompt))
  if (resolved) return resolved
  const promptless = takingMedia[0]
  if (promptless && !shape.hasPrompt) throw promptMissing(promptless)
  throw notResolved(family, shape, candidates)
}

/** Every axis of the family with the value that the request names or the default. */
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

function overTotal(shape: RequestShape): boolean {
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
 * Which fields hold too little or too much for the variant, and how far off that is; 0 when the variant takes the media.
 * A medium in the wrong one of its fields is off once, a medium that the variant does not take at all counts once more.
 */
function mismatch(variant: Variant, counts: MediaCounts): Mismatch {
  const found: Mismatch = { missing: [], excess: [], distance: 0 }
  for (const medium of media) {
    const { min, max, field: own } = variant.inputs[medium]
    const held = counts[own] ?? 0
    const misplaced = fieldsOfMedium[medium].filter((field) => field !== own && (counts[field] ?? 0) > 0)
    if (held < min) found.missing.push(own)
    if (held > max) found.excess.push(own)
    found.excess.push(...misplaced)
    const over = Math.max(held - max, 0) + countOf(counts, medium) - held
    found.distance += Math.max(min - held, over, 0) + (max === 0 && over > 0 ? 1 : 0)
  }
  return found
}

function notResolved(family: Family, shape: RequestShape, candidates: readonly Variant[]): Refusal {
  const nearest = candidates
    .map((variant) => mismatch(variant, shape.media))
    .reduce<Mismatch | undefined>((best, each) => (best && best.distance <= each.distance ? best : each), undefined)
  const meant = candidates.length > 0 ? undefined : nearestName(shape.modelId, modelIdsOf(family))
  const reason = reasonInWords(family, shape, candidates)
  return new Refusal(
    'variant_not_resolved',
    {
      available: availableFor(family, shape),
      missingInputs: nearest?.missing ?? [],
      excessInputs: nearest ? excessInputs(nearest, shape) : [],
      maxMediaInputs: limits.mediaInputs,
      ...(meant === undefined ? {} : { nearest: meant }),
    },
    { message: meant === undefined ? reason : appendSuggestion(reason, meant) },
  )
}

function modelIdsOf(family: Family): string[] {
  return family.variants.map(({ modelId }) => modelId)
}

function excessInputs(nearest: Mismatch, shape: RequestShape): string[] {
  if (nearest.excess.length > 0) return nearest.excess
  if (overTotal(shape)) return mediaFields.filter((field) => (shape.media[field] ?? 0) > 0)
  return nearest.distance === 0 && shape.hasPrompt ? ['prompt'] : []
}

/** The variants that take these inputs, on whatever axes; with none, all of the family, so that the caller sees what it takes. */
function availableFor(family: Family, shape: RequestShape): AvailableVariant[] {
  const taking = family.variants.filter(
    (variant) => !overTotal(shape) && mismatch(variant, shape.media).distance === 0 && (!shape.hasPrompt || takesPrompt(variant, true)),
  )
  return (taking.length > 0 ? taking : family.variants).map((variant) => ({
    modelId: variant.modelId,
    task: taskOf(variant, shape.media),
    axes: variant.axes,
    inputs: variant.inputs,
  }))
}

function reasonInWords(family: Family, shape: RequestShape, candidates: readonly Variant[]): string {
  if (overTotal(shape)) return `A request takes at most ${limits.mediaInputs} media inputs.`
  if (candidates.length > 0) return 'No variant that the request allows takes this set of inputs.'
  return shape.modelId === undefined
    ? `No variant of ${family.id} has these axis values.`
    : `The family ${family.id} has no variant of this modelId.`
}
