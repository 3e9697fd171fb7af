import type { Family, Variant } from './catalogQueries.ts'

/** The initial variant of a family: the default of every axis, and its first task. */
export function firstVariant({ axes, variants }: Family): Variant | undefined {
  return variants.find((variant) => axes.every(({ name, default: standard }) => variant.axes[name] === standard)) ?? variants[0]
}

/** The variant for `task` with the most axis values in common with the present one. */
export function variantForTask(family: Family, present: Variant, task: string): Variant {
  return nearest(family, present, (variant) => variant.tasks.includes(task))
}

/** The variant with the given axis value and the most other values in common, with the same task if possible. */
export function variantForAxis(family: Family, present: Variant, { axis, value }: { axis: string; value: string }): Variant {
  const onAxis = (variant: Variant) => variant.axes[axis] === value
  const same = family.variants.filter((variant) => onAxis(variant) && doesTheSame(variant, present))
  return nearest(family, present, same.length > 0 ? (variant) => same.includes(variant) : onAxis)
}

/** True when a variant with this axis value has the task of the present one. */
export function isAxisValueAvailable(family: Family, present: Variant, { axis, value }: { axis: string; value: string }): boolean {
  return family.variants.some((variant) => variant.axes[axis] === value && doesTheSame(variant, present))
}

/** Variants that differ from the present one only in their inputs. */
export function alternatives({ axes, variants }: Family, present: Variant): Variant[] {
  return variants.filter((variant) => doesTheSame(variant, present) && axes.every(({ name }) => variant.axes[name] === present.axes[name]))
}

function doesTheSame(variant: Variant, present: Variant): boolean {
  return variant.tasks.some((task) => present.tasks.includes(task))
}

/** Prefers the first one in the file when several are equally near. */
function nearest({ axes, variants }: Family, present: Variant, fits: (variant: Variant) => boolean): Variant {
  const agreeing = (variant: Variant) => axes.filter(({ name }) => variant.axes[name] === present.axes[name]).length
  return variants.filter(fits).toSorted((left, right) => agreeing(right) - agreeing(left))[0] ?? present
}
