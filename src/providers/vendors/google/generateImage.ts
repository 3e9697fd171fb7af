import type { Json } from '../../../contract/json.ts'
import { mapFields } from '../../connector/fieldMap.ts'
import { setPath } from '../../connector/jsonPath.ts'
import type { VendorClient } from '../../connector/vendorClient.ts'
import type { JobSpec, ProviderContext, Submitted } from '../../provider.ts'
import { googleRefusal } from './googleFailures.ts'
import type { GoogleSettings } from './googleSettings.ts'
import { withImages } from './inlineImages.ts'
import { readImageAnswer } from './readImageAnswer.ts'
import { readMedia } from './readMedia.ts'

/** Makes an image in one synchronous request, with prompt and images as the parts of one turn. */
export async function generateImage(
  ask: VendorClient,
  spec: JobSpec,
  settings: GoogleSettings,
  context: ProviderContext,
): Promise<Submitted> {
  const textParts: Json[] = spec.prompt === null ? [] : [{ text: spec.prompt }]
  const json = mapFields({ ...settings, inputs: {} }, spec, [])
  setPath(json, 'generationConfig.responseModalities', ['IMAGE'])
  const request = await withImages(spec, (images) => ({
    ...json,
    contents: [{ role: 'user', parts: [...textParts, ...images.map((inlineData) => ({ inlineData }))] }],
  }))
  const path = `/models/${settings.model}:generateContent`
  const { status, headers, body: stream } = await ask.stream({ method: 'POST', path, ...request, signal: context.signal })
  const { body, media } = await readMedia(stream, spec, context)
  const answer = { status, headers, body }
  const refused = googleRefusal(answer, spec, { now: context.clock.now(), log: context.log })
  return refused ?? readImageAnswer(answer.body, { spec, settings, media, log: context.log })
}
