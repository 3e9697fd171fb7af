import { z } from 'zod'
import type { Json } from '../../contract/json.ts'
import type { JobSpec, ProviderInput } from '../provider.ts'
import { place, setPath } from './jsonPath.ts'
import type { DeclaredModel, SettingsProblem } from './vendor.ts'

/**
 * The place of our value in the vendor's request. `values` maps our values to the vendor's names; a value without an entry is sent
 * unchanged. `times` converts our unit to the vendor's.
 */
const target = z.union([
  place,
  z.strictObject({ place, values: z.record(z.string(), z.json()) }),
  z.strictObject({ place, times: z.number().positive() }),
])
type Target = z.output<typeof target>

const inputFields = ['imageIds', 'videoIds', 'audioIds', 'model3dIds'] as const
type InputField = (typeof inputFields)[number]

/** One place receives the first input, several receive one each, `list` receives all as a list. */
const inputTarget = z.union([place, z.array(place).min(1), z.strictObject({ list: place })])

/**
 * The part of `provider.settings` that maps our request to the vendor's fields. All vendors whose models take an object of named fields
 * share it. `fixed` holds constant fields that the vendor requires.
 */
export const fieldMap = {
  prompt: place.optional(),
  parameters: z.record(z.string(), target).default({}),
  axes: z.record(z.string(), target).default({}),
  inputs: z.partialRecord(z.enum(inputFields), inputTarget).default({}),
  fixed: z.record(place, z.json()).default({}),
}
export type FieldMap = z.output<z.ZodObject<typeof fieldMap>>

/**
 * The vendor's fields for a job. Absent values are left out, so that the vendor's defaults apply. `media`: the URL or the content as text
 * of each input, in the order of `spec.inputs`.
 */
export function mapFields(map: FieldMap, spec: JobSpec, media: readonly Json[]): { [key: string]: Json } {
  const fields: { [key: string]: Json } = {}
  // Copied, since later fields of this request may be set inside it.
  for (const [at, value] of Object.entries(map.fixed)) setPath(fields, at, structuredClone(value))
  for (const [name, to] of Object.entries(map.axes)) put(fields, to, spec.axes[name])
  for (const [name, to] of Object.entries(map.parameters)) put(fields, to, spec.parameters[name])
  if (map.prompt !== undefined && spec.prompt !== null) setPath(fields, map.prompt, spec.prompt)
  for (const field of inputFields) putInputs(fields, map.inputs[field], mediaOf(spec.inputs, field, media))
  return fields
}

function put(fields: { [key: string]: Json }, to: Target, value: Json | undefined): void {
  if (value === undefined) return
  if (typeof to === 'string') setPath(fields, to, value)
  else if ('times' in to) setPath(fields, to.place, typeof value === 'number' ? value * to.times : value)
  else {
    const name = typeof value === 'string' ? value : JSON.stringify(value)
    setPath(fields, to.place, Object.hasOwn(to.values, name) ? (to.values[name] ?? null) : value)
  }
}

function mediaOf(inputs: readonly ProviderInput[], field: InputField, media: readonly Json[]): Json[] {
  return inputs.flatMap((input, index) => (input.field === field ? [media[index] ?? null] : []))
}

function putInputs(fields: { [key: string]: Json }, to: FieldMap['inputs'][InputField], media: readonly Json[]): void {
  if (to === undefined || media.length === 0) return
  if (typeof to === 'object' && 'list' in to) setPath(fields, to.list, [...media])
  else for (const [index, at] of [to].flat().entries()) if (media[index] !== undefined) setPath(fields, at, media[index])
}

/** Reports parts of a model without a place in the vendor's request, places of parts that the model lacks, and places used twice. */
export function checkFieldMap(map: FieldMap, model: DeclaredModel): SettingsProblem[] {
  return [...checkPrompt(map, model), ...checkNames(map, model), ...checkInputs(map, model), ...checkDuplicatePaths(map)]
}

function checkPrompt({ prompt }: FieldMap, { inputs }: DeclaredModel): SettingsProblem[] {
  const isTaken = inputs.prompt.maxLength !== 0
  if (isTaken === (prompt !== undefined)) return []
  return [{ path: 'prompt', reason: isTaken ? 'must say where the prompt goes' : 'is a place for a prompt that the variant does not take' }]
}

function checkNames(map: FieldMap, model: DeclaredModel): SettingsProblem[] {
  const missing = model.parameterNames.filter((name) => !Object.hasOwn(map.parameters, name))
  const unknown = Object.keys(map.parameters).filter((name) => !model.parameterNames.includes(name))
  const unknownAxes = Object.keys(map.axes).filter((name) => !Object.hasOwn(model.axes, name))
  return [
    ...missing.map((name) => ({ path: 'parameters', reason: `must say where ${name} goes` })),
    ...unknown.map((name) => ({ path: `parameters.${name}`, reason: 'is not among the parameterNames of the variant' })),
    ...unknownAxes.map((name) => ({ path: `axes.${name}`, reason: 'is no axis of the variant' })),
  ]
}

const mediumOf = { imageIds: 'images', videoIds: 'videos', audioIds: 'audios', model3dIds: 'models3d' } as const

function checkInputs({ inputs }: FieldMap, model: DeclaredModel): SettingsProblem[] {
  return inputFields.flatMap((field) => {
    const { max } = model.inputs[mediumOf[field]]
    const to = inputs[field]
    const path = `inputs.${field}`
    if (to === undefined) return max > 0 ? [{ path, reason: 'must say where these inputs go' }] : []
    if (max === 0) return [{ path, reason: 'is a place for inputs that the variant does not take' }]
    const room = typeof to === 'object' && 'list' in to ? max : [to].flat().length
    return room < max ? [{ path, reason: `has room for ${room} of ${max} inputs` }] : []
  })
}

/** All places of inputs in the vendor's request. */
export function inputPaths({ inputs }: Pick<FieldMap, 'inputs'>): string[] {
  return Object.values(inputs).flatMap((to) => (typeof to === 'object' && 'list' in to ? [to.list] : [to].flat()))
}

function checkDuplicatePaths(map: FieldMap): SettingsProblem[] {
  const { prompt, parameters, axes, fixed } = map
  const named = [...Object.values(parameters), ...Object.values(axes)].map((to) => (typeof to === 'string' ? to : to.place))
  const all = [...(prompt === undefined ? [] : [prompt]), ...named, ...inputPaths(map), ...Object.keys(fixed)]
  const twice = new Set(all.filter((at, index) => all.indexOf(at) !== index))
  return [...twice].map((at) => ({ path: '', reason: `name the place ${at} twice` }))
}
