import { limits } from '../../contract/limits.ts'
import { type Medium, media } from '../../contract/shapes/media.ts'
import { taskTable } from '../../contract/shapes/tasks.ts'
import type { FamilyFile, VariantFile } from './family.ts'

/** A fault of a family file; `path` leads to the place, as in `variants[0].tasks`. */
export type Problem = { path: string; reason: string }

/** What must hold between axes, variants, tasks and inputs of a family whose file has the right shape. */
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
    for (const value of repeated(axis.values)) problems.push({ path: `${path}.values`, reason: `holds ${value} twice` })
    if (!axis.values.includes(axis.default))
      problems.push({ path: `${path}.default`, reason: `is not among the values ${axis.values.join(', ')}` })
    for (const value of axis.values) {
      if (!family.variants.some((variant) => variant.axes[axis.name] === value))
        problems.push({ path: `${path}.values`, reason: `holds ${value}, which no variant has` })
    }
  }
  const onDefaults = family.variants.some((variant) => family.axes.every((axis) => variant.axes[axis.name] === axis.default))
  if (!onDefaults) problems.push({ path: 'axes', reason: 'have defaults that no variant has together' })
  return problems
}

function checkVariant(family: FamilyFile, variant: VariantFile, path: string): Problem[] {
  const { typical, slow } = variant.expectedRunSeconds
  return [
    ...checkAxisValues(family, variant, `${path}.axes`),
    ...checkTasks(family, variant, `${path}.tasks`),
    ...checkInputs(variant, `${path}.inputs`),
    ...when(typical > slow, `${path}.expectedRunSeconds`, 'has a typical time above the slow one'),
    ...when(slow > variant.deadlineSeconds, `${path}.deadlineSeconds`, 'ends before a slow run does'),
  ]
}

function checkAxisValues(family: FamilyFile, variant: VariantFile, path: string): Problem[] {
  const problems: Problem[] = []
  for (const axis of family.axes) {
    if (!Object.hasOwn(variant.axes, axis.name)) problems.push({ path, reason: `lacks a value on the axis ${axis.name}` })
    else if (!axis.values.includes(variant.axes[axis.name] ?? ''))
      problems.push({ path: `${path}.${axis.name}`, reason: `is not among the values ${axis.values.join(', ')}` })
  }
  for (const name of Object.keys(variant.axes)) {
    if (!family.axes.some((axis) => axis.name === name)) problems.push({ path: `${path}.${name}`, reason: 'is no axis of the family' })
  }
  return problems
}

function checkTasks(family: FamilyFile, variant: VariantFile, path: string): Problem[] {
  const problems: Problem[] = repeated(variant.tasks).map((task) => ({ path, reason: `holds ${task} twice` }))
  for (const task of variant.tasks) {
    const { outputType, sources } = taskTable[task]
    if (outputType !== family.outputType)
      problems.push({ path, reason: `holds ${task}, which makes ${outputType} and not ${family.outputType}` })
    if (sources.length > 0 && !sources.some((medium) => variant.inputs[medium]))
      problems.push({ path, reason: `holds ${task}, which starts from ${sources.join(' or ')} that the variant does not take` })
    if (sources.length === 0 && !variant.inputs.prompt)
      problems.push({ path, reason: `holds ${task}, which starts from a prompt that the variant does not take` })
  }
  const always = variant.tasks.some((task) => {
    const { sources } = taskTable[task]
    return sources.length === 0 || sources.some((medium) => (variant.inputs[medium]?.min ?? 0) > 0)
  })
  return [...problems, ...when(!always, path, 'has no task for a request that gives no more than the variant needs')]
}

function checkInputs({ inputs }: VariantFile, path: string): Problem[] {
  const problems: Problem[] = []
  for (const medium of media) {
    const taken = inputs[medium]
    if (!taken) continue
    const here = `${path}.${medium}`
    problems.push(...when(taken.min > taken.max, `${here}.min`, 'is above max'))
    problems.push(...when(taken.field === 'videoId' && taken.max > 1, `${here}.max`, 'is above 1, and videoId carries one video'))
    for (const value of repeated(taken.mimeTypes)) problems.push({ path: `${here}.mimeTypes`, reason: `holds ${value} twice` })
    problems.push(...checkBounds(taken, here))
  }
  const needed = media.reduce((sum, medium) => sum + (inputs[medium]?.min ?? 0), 0)
  problems.push(...when(needed > limits.mediaInputs, path, `need more than the ${limits.mediaInputs} media that a request may have`))
  problems.push(
    ...when(
      needed === 0 && !inputs.prompt?.required,
      `${path}.prompt`,
      'must be required where no media are, or an empty request would start work',
    ),
  )
  return problems
}

/** `minX` may not be above `maxX`, whatever the X. */
function checkBounds(taken: object, path: string): Problem[] {
  const bounds = new Map<string, unknown>(Object.entries(taken))
  return [...bounds].flatMap(([name, least]) => {
    const most = name.startsWith('min') ? bounds.get(name.replace('min', 'max')) : undefined
    return when(
      name !== 'min' && typeof least === 'number' && typeof most === 'number' && least > most,
      `${path}.${name}`,
      'is above its maximum',
    )
  })
}

/** Two variants on the same axis values may not both take one request: the choice would be arbitrary. */
function checkOverlaps({ variants }: FamilyFile): Problem[] {
  return variants.flatMap((variant, index) =>
    variants
      .slice(0, index)
      .filter(
        (earlier) =>
          sameAxes(earlier, variant) && promptsOverlap(earlier, variant) && media.every((medium) => mediaOverlap(earlier, variant, medium)),
      )
      .map((earlier) => ({ path: `variants[${index}]`, reason: `takes requests that ${earlier.modelId} takes on the same axes` })),
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

function when(wrong: boolean, path: string, reason: string): Problem[] {
  return wrong ? [{ path, reason }] : []
}
