import { z } from 'zod'
import { checkFieldMap, fieldMap } from '../../connector/fieldMap.ts'
import { place } from '../../connector/jsonPath.ts'
import { checkSettings } from '../../connector/settings.ts'
import type { DeclaredModel, SettingsProblem } from '../../connector/vendor.ts'

/** A node as exported by "Export (API)" of ComfyUI. Its other fields are for people. */
const node = z.object({ class_type: z.string().min(1), inputs: z.record(z.string(), z.json()), _meta: z.json().optional() })

/**
 * `workflow`: the nodes by id. Places of the field map are inputs of nodes, such as `6.inputs.text`. `seeds`: inputs that get a generated
 * number when the caller sends none. `outputs`: the nodes whose files are the result, in this order; all nodes when absent.
 * `usdPerSecond`: what a second of the machine costs its operator.
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

/** The reasons why a variant cannot run, such as places that do not exist. */
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
      ? [{ path: `inputs.${field}`, reason: 'must have one place per input, because nodes take no lists' }]
      : [],
  )
}

function checkMappedInputs(settings: ComfyuiSettings): SettingsProblem[] {
  return mappedInputs(settings).flatMap(({ path, at }) => {
    const [id = '', section, name = '', ...more] = at.split('.')
    const inputs = settings.workflow[id]?.inputs
    const exists = section === 'inputs' && more.length === 0 && inputs !== undefined && Object.hasOwn(inputs, name)
    return exists ? [] : [{ path, reason: `refers to ${at}, which is not an input of the workflow` }]
  })
}

type MappedInput = { part: 'prompt' | 'parameters' | 'axes' | 'inputs' | 'fixed' | 'seeds'; path: string; at: string }

/** All inputs of the workflow that the settings refer to, with the part of the settings. */
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
    .map((id) => ({ path: 'outputs', reason: `names ${id}, which is not a node of the workflow` }))
}
