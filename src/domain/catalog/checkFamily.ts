import { limits } from '../../contract/limits.ts'
import { type Medium, media } from '../../contract/shapes/media.ts'
import { taskTable } from '../../contract/shapes/tasks.ts'
import type { FamilyFile, VariantFile } from './family.ts'

/** An error in a family file. `path` is its place, as in `variants[0].tasks`. */
export type Problem = { path: string; reason: string }

/** Checks axes, variants, tasks and inputs of a family against each other. Expects a file of the right shape. */
export function checkFamily(family: FamilyFile): Problem[] {
  return [
    ...checkAxes(family),
    ...family.variants.flatMap((variant, index) => checkVariant(family, variant, `variants[${index}]`)),
    ...checkOverlaps(family),
  ]
}

function checkAxes(family: FamilyFile): Problem[] {
  const problems: Problem[] = repeated(family.axes.map(({ name }) => name)).map((name) => ({
    path: 'axes',
    reason: `names the axis ${name} twice`,
  }))
  for (const [index, axis] of family.axes.entries()) {
    const path = `axes[${index}]`
    for (const value of repeated(axis.values)) problems.push({ path: `${path}.values`, reason: `has ${value} twice` })
    if (!axis.values.includes(axis.default))
      problems.push({ path: `${path}.default`, reason: `is not among the values ${axis.values.join(', ')}` })
    for (const value of axis.values) {
      if (!family.variants.some((variant) => variant.axes[axis.name] === value))
        problems.push({ path: `${path}.values`, reason: `has ${value}, which no variant uses` })
    }
  }
  const onDefaults = family.variants.some((variant) => family.axes.every((axis) => variant.axes[axis.name] === axis.default))
  if (!onDefaults) problems.push({ path: 'axes', reason: 'have defaults that no single variant uses' })
  return problems
}

function checkVariant(family: FamilyFile, variant: VariantFile, path: string): Problem[] {
  const { typical, slow } = variant.expectedRunSeconds
  return [
    ...checkAxisValues(family, variant, `${path}.axes`),
    ...checkTasks(family, variant, `${path}.tasks`),
    ...checkInputs(variant, `${path}.inputs`),
    ...problemIf(typical > slow, `${path}.expectedRunSeconds`, 'has a typical time above the slow one'),
    ...problemIf(slow > variant.deadlineSeconds, `${path}.deadlineSeconds`, 'ends before a slow run does'),
  ]
}

function checkAxisValues(family: FamilyFile, variant: VariantFile, path: string): Problem[] {
  const problems: Problem[] = []
  for (const axis of family.axes) {
    if (!Object.hasOwn(variant.axes, axis.name)) problems.push({ path, reason: `has no value for the axis ${axis.name}` })
    else if (!axis.values.includes(variant.axes[axis.name] ?? ''))
      problems.push({ path: `${path}.${axis.name}`, reason: `is not among the values ${axis.values.join(', ')}` })
  }
  for (const name of Object.keys(variant.axes)) {
    if (!family.axes.some((axis) => axis.name === name)) problems.push({ path: `${path}.${name}`, reason: 'is not an axis of the family' })
  }
  return problems
}

function checkTasks(family: FamilyFile, variant: VariantFile, path: string): Problem[] {
  const problems: Problem[] = repeated(variant.tasks).map((task) => ({ path, reason: `has ${task} twice` }))
  for (const task of variant.tasks) {
    const { outputType, sources } = taskTable[task]
    if (outputType !== family.outputType)
      problems.push({ path, reason: `has ${task}, whose output is ${outputType} and not ${family.outputType}` })
    if (sources.length > 0 && !sources.some((medium) => variant.inputs[medium]))
      problems.push({ path, reason: `has ${task}, which needs ${sources.join(' or ')}, but the variant takes none` })
    if (sources.length === 0 && !variant.inputs.prompt)
      problems.push({ path, reason: `has ${task}, which needs a prompt, but the variant takes none` })
  }
  const hasDefaultTask = variant.tasks.some((task) => {
    const { sources } = taskTable[task]
    return sources.length === 0 || sources.some((medium) => (variant.inputs[medium]?.min ?? 0) > 0)
  })
  return [...problems, ...problemIf(!hasDefaultTask, path, 'has no task for a request with only the required inputs')]
}

function checkInputs({ inputs }: VariantFile, path: string): Problem[] {
  const problems: Problem[] = []
  for (const medium of media) {
    const taken = inputs[medium]
    if (!taken) continue
    const here = `${path}.${medium}`
    problems.push(...problemIf(taken.min > taken.max, `${here}.min`, 'is above max'))
    problems.push(...problemIf(taken.field === 'videoId' && taken.max > 1, `${here}.max`, 'is above 1, but videoId takes one video'))
    for (const value of repeated(taken.mimeTypes)) problems.push({ path: `${here}.mimeTypes`, reason: `has ${value} twice` })
    problems.push(...checkBounds(taken, here))
  }
  const needed = media.reduce((sum, medium) => sum + (inputs[medium]?.min ?? 0), 0)
  problems.push(...problemIf(needed > limits.mediaInputs, path, `require more than ${limits.mediaInputs} media, the limit of a request`))
  problems.push(
    ...problemIf(
      needed === 0 && !inputs.prompt?.required,
      `${path}.prompt`,
      'must be required when no media are required, so that an empty request is refused',
    ),
  )
  return problems
}

/** Each `minX` must not be above its `maxX`. */
function checkBounds(taken: object, path: string): Problem[] {
  const bounds = new Map<string, unknown>(Object.entries(taken))
  return [...bounds].flatMap(([name, minimum]) => {
    const maximum = name.startsWith('min') ? bounds.get(name.replace('min', 'max')) : undefined
    return problemIf(
      name !== 'min' && typeof minimum === 'number' && typeof maximum === 'number' && minimum > maximum,
      `${path}.${name}`,
      'is above its maximum',
    )
  })
}

/** Two variants with the same axis values must not accept the same request, because the choice would be arbitrary. */
function checkOverlaps({ variants }: FamilyFile): Problem[] {
  return variants.flatMap((variant, index) =>
    variants
      .slice(0, index)
      .filter(
        (earlier) =>
          sameAxes(earlier, variant) && promptsOverlap(earlier, variant) && media.every((medium) => mediaOverlap(earlier, variant, medium)),
      )
      .map((earlier) => ({ path: `variants[${index}]`, reason: `accepts the same requests as ${earlier.modelId} on the same axes` })),
  )
}

function sameAxes(left: VariantFile, right: VariantFile): boolean {
  return [...Object.keys(left.axes), ...Object.keys(right.axes)].every((name) => left.axes[name] === right.axes[name])
}

function promptsOverlap({ inputs: { prompt: left } }: VariantFile, { inputs: { prompt: right } }: VariantFile): boolean {
  return !(left?.required && !right) && !(right?.required && !left)
}

function mediaOverlap(leftVariant: VariantFile, rightVariant: VariantFile, medium: Medium): boolean {
  const left = leftVariant.inputs[medium] ?? { min: 0, max: 0, field: undefined }
  const right = rightVariant.inputs[medium] ?? { min: 0, max: 0, field: undefined }
  if (left.min === 0 && right.min === 0) return true
  return left.field === right.field && Math.max(left.min, right.min) <= Math.min(left.max, right.max)
}

function repeated(values: readonly string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))]
}

function problemIf(wrong: boolean, path: string, reason: string): Problem[] {
  return wrong ? [{ path, reason }] : []
}
