import { z } from 'zod'
import { checkFieldMap, type FieldMap, fieldMap } from '../../connector/fieldMap.ts'
import { checkSettings } from '../../connector/settings.ts'
import type { DeclaredModel, SettingsProblem } from '../../connector/vendor.ts'

/** In US dollars for a million tokens: what goes in, and of what comes out the pictures and the words, thoughts among them. */
const rates = z.strictObject({ input: z.number().positive(), media: z.number().positive(), text: z.number().positive() })

/**
 * `api`: how the model is spoken to. The places of `parameters`, `axes` and `fixed` start from the whole request for `generateContent`
 * and `interactions`, and from its `parameters` for `predictLongRunning`. Prompt and images have the one place that Google gives them;
 * `frames` says that the images of a video are its first frame and its last, else they are what it should look like.
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

/** What keeps a variant from being run. */
export function checkGoogle(model: DeclaredModel): SettingsProblem[] {
  return checkSettings(googleSettings, model, (read) => [...checkFieldMap(fieldMapOf(read, model), model), ...checkMedia(read, model)])
}

/** With the places that need not be said. */
function fieldMapOf({ parameters, axes, fixed }: GoogleSettings, { inputs }: DeclaredModel): FieldMap {
  const prompt = inputs.prompt.maxLength === 0 ? {} : { prompt: 'the_prompt' }
  const images = inputs.images.max === 0 ? {} : { imageIds: { list: 'the_images' } }
  return { ...prompt, parameters, axes, inputs: images, fixed }
}

function checkMedia({ api, frames }: GoogleSettings, { outputType, inputs }: DeclaredModel): SettingsProblem[] {
  const made = api === 'generateContent' ? 'image' : 'video'
  const framesMax = 2
  return [
    ...(outputType === made ? [] : [{ path: 'api', reason: `makes ${made} and not ${outputType}` }]),
    ...(frames && inputs.images.max > framesMax ? [{ path: 'frames', reason: `has room for ${framesMax} images` }] : []),
  ]
}
