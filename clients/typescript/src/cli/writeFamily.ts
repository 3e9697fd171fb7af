import type { Family, Variant } from '../openapi.ts'
import { describeParameters } from './describeParameters.ts'
import { durationWords } from './duration.ts'
import type { Output } from './output.ts'
import { axesWords, countWords } from './writeGeneration.ts'

/** Prints a family: its axes, its variants with prices and inputs, and its parameters, each once. */
export function writeFamily(output: Output, family: Family): void {
  const state = family.available ? 'available' : (family.lockReason ?? 'locked')
  output.data({ text: family.id, colour: 'bold' }, `  ${family.name}, by ${family.vendor}, makes ${family.outputType}, ${state}`)
  output.data(family.description)
  for (const { name, values, default: usual } of family.axes) {
    output.data(
      { text: `  --axis ${name}=`, colour: 'yellow' },
      values.map((value) => (value === usual ? `${value} (default)` : value)).join(', '),
    )
  }
  const ofAll = sharedParameters(family.variants)
  for (const each of ofAll) writeParameter(output, each)
  for (const variant of family.variants) {
    output.data('')
    writeVariant(output, variant)
    for (const each of describeParameters(variant.parameters)) if (!isAmong(ofAll, each)) writeParameter(output, each)
  }
}

/** The parameters that all variants have in the same way. */
function sharedParameters([first, ...others]: readonly Variant[]): [string, string][] {
  const ofOthers = others.map(({ parameters }) => describeParameters(parameters))
  return describeParameters(first?.parameters ?? {}).filter((each) => ofOthers.every((words) => isAmong(words, each)))
}

function isAmong(all: readonly [string, string][], [name, words]: readonly [string, string]): boolean {
  return all.some((each) => each[0] === name && each[1] === words)
}

function writeParameter(output: Output, [name, words]: readonly [string, string]): void {
  output.data({ text: `  -p ${name}=`, colour: 'yellow' }, `  ${words}`)
}

function writeVariant(output: Output, variant: Variant): void {
  const usually = `usually ${durationWords(variant.expectedRunSeconds.typical)}`
  output.data({ text: variant.modelId, colour: 'bold' }, `${axesWords(variant.axes)}  ${variant.tasks.join(', ')}, ${usually}`)
  for (const { unit, credits, when } of variant.prices) {
    const conditions = Object.entries(when).map(([name, value]) => `${name}=${String(value)}`)
    output.data(`  ${countWords(credits)} for each ${unit}${conditions.length > 0 ? ` with ${conditions.join(' ')}` : ''}`)
  }
  const { prompt, ...media } = variant.inputs
  const limit = prompt.maxLength === null ? '' : `, ${prompt.maxLength} characters maximum`
  output.data(`  prompt: ${prompt.required ? 'required' : 'optional'}${limit}`)
  for (const [name, { min, max }] of Object.entries(media)) {
    if (max > 0) output.data(`  ${name}: ${min === max ? min : `${min} to ${max}`}`)
  }
}
