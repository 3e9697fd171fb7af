import { media } from '../../contract/shapes/media.ts'
import type { Problem } from './checkFamily.ts'
import type { FamilyFile, VariantFile } from './family.ts'

/** Checks that a fallback is another variant of the family that accepts the same requests, and that fallbacks form no cycle. */
export function checkFallbacks({ variants }: FamilyFile): Problem[] {
  const byModel = new Map(variants.map((variant) => [variant.modelId, variant]))
  return variants.flatMap((variant, index) => {
    if (variant.fallback === undefined) return []
    const other = byModel.get(variant.fallback)
    const reasons = other ? fallbackMismatches(variant, other, byModel) : ['names no variant of the family']
    return reasons.map((reason) => ({ path: `variants[${index}].fallback`, reason }))
  })
}

function fallbackMismatches(variant: VariantFile, other: VariantFile, byModel: ReadonlyMap<string, VariantFile>): string[] {
  if (isCyclic(variant, byModel)) return ['forms a cycle']
  const tasks = variant.tasks.filter((task) => !other.tasks.includes(task))
  const names = variant.parameterNames.filter((name) => !other.parameterNames.includes(name))
  return [
    ...tasks.map((task) => `names a variant without the task ${task}`),
    ...names.map((name) => `names a variant without the parameter ${name}`),
    ...media.filter((medium) => !takesAll(variant, other, medium)).map((medium) => `names a variant that does not take the same ${medium}`),
    ...(takesPrompts(variant, other) ? [] : ['names a variant that does not take the same prompts']),
  ]
}

function isCyclic({ modelId, fallback }: VariantFile, byModel: ReadonlyMap<string, VariantFile>): boolean {
  const seen = new Set<string>()
  for (let next = fallback; next !== undefined && !seen.has(next); next = byModel.get(next)?.fallback) {
    if (next === modelId) return true
    seen.add(next)
  }
  return false
}

function takesAll(variant: VariantFile, other: VariantFile, medium: (typeof media)[number]): boolean {
  const own = variant.inputs[medium]
  const theirs = other.inputs[medium]
  if (!own) return (theirs?.min ?? 0) === 0
  return theirs !== undefined && theirs.field === own.field && theirs.min <= own.min && theirs.max >= own.max
}

function takesPrompts({ inputs: { prompt: own } }: VariantFile, { inputs: { prompt: theirs } }: VariantFile): boolean {
  if (own && !theirs) return false
  return !theirs?.required || own?.required === true
}
