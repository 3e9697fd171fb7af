import { z } from 'zod'
import { checkFieldMap, fieldMap } from '../../connector/fieldMap.ts'
import { place } from '../../connector/jsonPath.ts'
import { checkSettings } from '../../connector/settings.ts'
import type { DeclaredModel, SettingsProblem } from '../../connector/vendor.ts'

/** A node as "Export (API)" of ComfyUI writes it: what it holds beside these is for people. */
const node = z.object({ class_type: z.string().min(1), inputs: z.record(z.string(), z.json()), _meta: z.json().optional() })

/**
 * `workflow`: the nodes by their ids. The places of the field map mark inputs of these, such as `6.inputs.text`. `seeds`: the inputs that
 * take a number of ours when the caller gives none. `outputs`: the nodes whose files are the result, in this order; all of them where it
 * is left out. `usdPerSecond`: what a second of the machine costs its operator.
 */
export const comfyuiSettings = z.strictObject({
  ...fieldMap,
  workflow: z.record(z.string(), node),
  seeds: z.array(place).default([]),
  outputs: z.array(z.string()).min(1).optional(),
  usdPerSecond: z.number().positive().optional(),
})
export type ComfyuiSettings = z.output<typeof comfyuiSettings>
export type Workflow = ComfyuiSettings['workflow']

/** What keeps a variant from being run: marks that lead nowhere, above all. */
export function checkComfyui(model: DeclaredModel): SettingsProblem[] {
  return checkSettings(comfyuiSettings, model, (read) => [
    ...checkFieldMap(read, model),
    ...checkLists(read),
    ...checkMappedInputs(read),
    ...checkOutputs(read),
  ])
}

function checkLists({ inputs }: ComfyuiSettings): SettingsProblem[] {
  return Object.entries(inputs).flatMap(([field, to]) =>
    typeof to === 'object' && 'list' in to
      ? [{ path: `inputs.${field}`, reason: 'takes one place for each input: nodes take no lists' }]
      : [],
  )
}

function checkMappedInputs(settings: ComfyuiSettings): SettingsProblem[] {
  return mappedInputs(settings).flatMap(({ path, at }) => {
    const [id = '', word, name = '', ...more] = at.split('.')
    const inputs = settings.workflow[id]?.inputs
    const exists = word === 'inputs' && more.length === 0 && inputs !== undefined && Object.hasOwn(inputs, name)
    return exists ? [] : [{ path, reason: `marks ${at}, which is no input of the workflow` }]
  })
}

type MappedInput = { part: 'prompt' | 'parameters' | 'axes' | 'inputs' | 'fixed' | 'seeds'; path: string; at: string }

/** Every marked input of the workflow, and which part of the settings marks it. */
export function mappedInputs({ prompt, parameters, axes, inputs, fixed, seeds }: ComfyuiSettings): MappedInput[] {
  const named = (part: 'parameters' | 'axes', targets: ComfyuiSettings['parameters']) =>
    Object.entries(targets).map(
      ([name, to]): MappedInput => ({ part, path: `${part}.${name}`, at: typeof to === 'string' ? to : to.place }),
    )
  const media = Object.entries(inputs).flatMap(([field, to]) =>
    typeof to === 'object' && 'list' in to ? [] : [to].flat().map((at): MappedInput => ({ part: 'inputs', path: `inputs.${field}`, at })),
  )
  return [
    ...(prompt === undefined ? [] : [{ part: 'prompt', path: 'prompt', at: prompt } as const]),
    ...named('parameters', parameters),
    ...named('axes', axes),
    ...media,
    ...Object.keys(fixed).map((at): MappedInput => ({ part: 'fixed', path: 'fixed', at })),
    ...seeds.map((at): MappedInput => ({ part: 'seeds', path: 'seeds', at })),
  ]
}

function checkOutputs({ outputs = [], workflow }: ComfyuiSettings): SettingsProblem[] {
  return outputs
    .filter((id) => !Object.hasOwn(workflow, id))
    .map((id) => ({ path: 'outputs', reason: `names ${id}, which is no node of the workflow` }))
}
