import { z } from 'zod'
import { fieldMap } from '../../connector/fieldMap.ts'
import type { DeclaredModel, SettingsProblem } from '../../connector/vendor.ts'

/** US dollars for a million tokens, `output` being what the model makes; or for a thousand characters of the prompt. */
const rates = z.union([
  z.strictObject({ textInput: z.number().positive(), imageInput: z.number().positive(), output: z.number().positive() }),
  z.strictObject({ thousandCharacters: z.number().positive() }),
])

/**
 * How a variant is run. Its task follows from the family: pictures are asked for at `/images`, from images among its inputs at
 * `/images/edits`, and speech at `/audio/speech`.
 */
export const openaiSettings = z.strictObject({
  model: z.string().min(1).max(200),
  ...fieldMap,
  /** Makes dollars of the tokens that an answer counts, or of the characters that were sent; without it the cost is in tokens alone. */
  rates: rates.optional(),
})
export type OpenaiSettings = z.output<typeof openaiSettings>

/** What OpenAI's way of speaking has no place for. */
export function checkOpenaiModel({ inputs }: OpenaiSettings, { outputType, inputs: taken }: DeclaredModel): SettingsProblem[] {
  const media = (['videos', 'audios', 'models3d'] as const).filter((medium) => taken[medium].max > 0)
  return [
    ...(outputType === 'image' || outputType === 'audio' ? [] : [{ path: '', reason: `cannot make ${outputType}` }]),
    ...media.map((medium) => ({ path: 'inputs', reason: `cannot take ${medium}` })),
    ...(outputType === 'audio' && inputs.imageIds ? [{ path: 'inputs.imageIds', reason: 'has no place in speech' }] : []),
  ]
}
