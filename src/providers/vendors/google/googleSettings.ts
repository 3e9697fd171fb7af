import { z } from 'zod'
import { checkFieldMap, type FieldMap, fieldMap } from '../../connector/fieldMap.ts'
import { checkSettings } from '../../connector/settings.ts'
import type { DeclaredModel, SettingsProblem } from '../../connector/vendor.ts'

/** US dollars per million tokens: of the input, of output media, and of output text including thoughts. */
const rates = z.strictObject({ input: z.number().positive(), media: z.number().positive(), text: z.number().positive() })

/**
 * `api`: the API of the model. Places of `parameters`, `axes` and `fixed` are relative to the request for `generateContent` and
 * `interactions`, and to its `parameters` for `predictLongRunning`. Prompt and images have a fixed place. With `frames` the images of a
 * video are its first and last frame, otherwise references.
 */
export const googleSettings = z.strictObject({
  api: z.enum(['generateContent', 'predictLongRunning', 'interactions']),
  model: z
    .string()
    .max(100)
    .regex(/^[a-z0-9][a-z0-9.-]*$/, 'Takes the name of a model, such as gemini-3-pro-image'),
  parameters: fieldMap.parameters,
  axes: fieldMap.axes,
  fixed: fieldMap.fixed,
  frames: z.boolean().default(false),
  rates: rates.optional(),
})
export type GoogleSettings = z.output<typeof googleSettings>

/** The reasons why a variant cannot run. */
export function checkGoogle(model: DeclaredModel): SettingsProblem[] {
  return checkSettings(googleSettings, model, (read) => [...checkFieldMap(fieldMapOf(read, model), model), ...checkMedia(read, model)])
}

/** The field map with the fixed places filled in. */
function fieldMapOf({ parameters, axes, fixed }: GoogleSettings, { inputs }: DeclaredModel): FieldMap {
  const prompt = inputs.prompt.maxLength === 0 ? {} : { prompt: 'the_prompt' }
  const images = inputs.images.max === 0 ? {} : { imageIds: { list: 'the_images' } }
  return { ...prompt, parameters, axes, inputs: images, fixed }
}

function checkMedia({ api, frames }: GoogleSettings, { outputType, inputs }: DeclaredModel): SettingsProblem[] {
  const apiOutput = api === 'generateContent' ? 'image' : 'video'
  const framesMax = 2
  return [
    ...(outputType === apiOutput ? [] : [{ path: 'api', reason: `makes ${apiOutput} and not ${outputType}` }]),
    ...(frames && inputs.images.max > framesMax ? [{ path: 'frames', reason: `has room for ${framesMax} images` }] : []),
  ]
}
