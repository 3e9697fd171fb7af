import { z } from 'zod'
import { fieldMap } from '../../connector/fieldMap.ts'
import type { DeclaredModel, SettingsProblem } from '../../connector/vendor.ts'

/** US dollars per million tokens, with `output` for the output of the model, or per thousand characters of the prompt. */
const rates = z.union([
  z.strictObject({ textInput: z.number().positive(), imageInput: z.number().positive(), output: z.number().positive() }),
  z.strictObject({ thousandCharacters: z.number().positive() }),
])

/**
 * How to run a variant. The family decides the API path: `/images/generations`, `/images/edits` with input images, or `/audio/speech`.
 */
export const openaiSettings = z.strictObject({
  model: z.string().min(1).max(200),
  ...fieldMap,
  /** Converts the tokens of an answer, or the characters of the prompt, to dollars. Without rates the cost is in tokens only. */
  rates: rates.optional(),
})
export type OpenaiSettings = z.output<typeof openaiSettings>

/** The parts of a variant that the API of OpenAI does not support. */
export function checkOpenaiModel({ inputs }: OpenaiSettings, { outputType, inputs: taken }: DeclaredModel): SettingsProblem[] {
  const media = (['videos', 'audios', 'models3d'] as const).filter((medium) => taken[medium].max > 0)
  return [
    ...(outputType === 'image' || outputType === 'audio' ? [] : [{ path: '', reason: `cannot make ${outputType}` }]),
    ...media.map((medium) => ({ path: 'inputs', reason: `cannot take ${medium}` })),
    ...(outputType === 'audio' && inputs.imageIds ? [{ path: 'inputs.imageIds', reason: 'is not supported for speech' }] : []),
  ]
}
