import type { Json } from '../../../contract/json.ts'
import { fieldsOf } from '../../fieldMap.ts'
import { putAt } from '../../places.ts'
import type { JobSpec, ProviderContext, Submitted } from '../../provider.ts'
import type { AskVendor } from '../../vendorRequest.ts'
import { refusedByGoogle } from './googleFailures.ts'
import type { GoogleSettings } from './googleSettings.ts'
import { imageAnswer } from './imageAnswer.ts'
import { withImages } from './inlineImages.ts'
import { readMedia } from './readMedia.ts'

/** Makes an image while one waits: prompt and images as the parts of one turn. */
export async function generateImage(ask: AskVendor, spec: JobSpec, settings: GoogleSettings, context: ProviderContext): Promise<Submitted> {
  const words: Json[] = spec.prompt === null ? [] : [{ text: spec.prompt }]
  const json = fieldsOf({ ...settings, inputs: {} }, spec, [])
  putAt(json, 'generationConfig.responseModalities', ['IMAGE'])
  const request = await withImages(spec, (images) => ({
    ...json,
    contents: [{ role: 'user', parts: [...words, ...images.map((inlineData) => ({ inlineData }))] }],
  }))
  const path = `/models/${settings.model}:generateContent`
  const { status, headers, body: stream } = await ask.stream({ method: 'POST', path, ...request, signal: context.signal })
  const { body, media } = await readMedia(stream, spec, context)
  const answer = { status, headers, body }
  const refused = refusedByGoogle(answer, spec, { now: context.clock.now(), log: context.log })
  return refused ?? imageAnswer(answer.body, { spec, settings, media, log: context.log })
}
