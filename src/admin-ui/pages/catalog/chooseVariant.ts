import type { Family, Variant } from './catalogQueries.ts'

/** The variant that a family is opened with: the default of every axis, for its first task. */
export function firstVariant({ axes, variants }: Family): Variant | undefined {
  return variants.find((variant) => axes.every(({ name, default: standard }) => variant.axes[name] === standard)) ?? variants[0]
}

/** The variant that does `task` and stands nearest to the present one on the axes. */
export function variantForTask(family: Family, present: Variant, task: string): Variant {
  return nearest(family, present, (variant) => variant.tasks.includes(task))
}

/** The variant with that value on an axis that stands nearest to the present one otherwise, and does the same if any does. */
export function variantForAxis(family: Family, present: Variant, { axis, value }: { axis: string; value: string }): Variant {
  const onAxis = (variant: Variant) => variant.axes[axis] === value
  const same = family.variants.filter((variant) => onAxis(variant) && doesTheSame(variant, present))
  return nearest(family, present, same.length > 0 ? (variant) => same.includes(variant) : onAxis)
}

/** Whether any variant has that value on an axis and does what the present one does. */
export function isAxisValueAvailable(family: Family, present: Variant, { axis, value }: { axis: string; value: string }): boolean {
  return family.variants.some((variant) => variant.axes[axis] === value && doesTheSame(variant, present))
}

/** Those that only their inputs tell from the present one. */
export function alternatives({ axes, variants }: Family, present: Variant): Variant[] {
  return variants.filter((variant) => doesTheSame(variant, present) && axes.every(({ name }) => variant.axes[name] === present.axes[name]))
}

function doesTheSame(variant: Variant, present: Variant): boolean {
  return variant.tasks.some((task) => present.tasks.includes(task))
}

/** Ties go to the earlier one of the family's file. */
function nearest({ axes, variants }: Family, present: Variant, fits: (variant: Variant) => boolean): Variant {
  const agreeing = (variant: Variant) => axes.filter(({ name }) => variant.axes[name] === present.axes[name]).length
  return variants.filter(fits).toSorted((left, right) => agreeing(right) - agreeing(left))[0] ?? present
}
