import type { Failure } from '../../../contract/failures/failures.ts'
import type { Json } from '../../../contract/json.ts'
import { mapFields } from '../../connector/fieldMap.ts'
import { getNumberAtPath, getPath, setPath } from '../../connector/jsonPath.ts'
import type { VendorClient } from '../../connector/vendorClient.ts'
import type { FirstOutputStager } from '../../outputs/stageFirstOutput.ts'
import type { Cost, JobSpec, ProviderContext, ProviderLog, Submitted } from '../../provider.ts'
import { googleRefusal } from './googleFailures.ts'
import type { GoogleSettings } from './googleSettings.ts'
import { withImages } from './inlineImages.ts'
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
  const { body, media } = await readMedia({ status, body: stream }, spec, context)
  const answer = { status, headers, body }
  const refused = googleRefusal(answer, spec, { now: context.clock.now(), log: context.log })
  return refused ?? readImageAnswer(answer.body, { spec, settings, media, log: context.log })
}

type AnswerContext = { spec: JobSpec; settings: GoogleSettings; media: FirstOutputStager; log: ProviderLog }

/** Returns the first image of a `generateContent` answer, or why there is none. Text beside the images is ignored. */
function readImageAnswer(body: Json | undefined, { spec, settings, media, log }: AnswerContext): Submitted {
  const cost = tokenCost(body, settings)
  const outputs = media.outputs()
  if (outputs.length > 0 && media.left() > 0) log.warn({ left: media.left() }, 'Google returned more images than were used')
  if (outputs.length > 0) return { kind: 'done', outputs, ...(cost && { cost }) }
  const reasons = {
    blockReason: getPath(body, 'promptFeedback.blockReason')[0],
    finishReason: getPath(body, 'candidates.0.finishReason')[0],
  }
  log.warn({ ...reasons, files: media.left() }, 'Google returned no image')
  return { kind: 'failed', failure: media.left() > 0 ? failed : refusal(body, spec) }
}

const failed: Failure = { code: 'provider_error', reason: 'provider_failed' }

const withheld = new Set(['SAFETY', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII', 'RECITATION'])

/** Why there is no output. A text instead of an image means that the model could not use the prompt. */
function refusal(body: Json | undefined, { inputs }: JobSpec): Failure {
  const [blocked] = getPath(body, 'promptFeedback.blockReason')
  if (typeof blocked === 'string' && blocked !== 'BLOCKED_REASON_UNSPECIFIED') {
    const isOfInput = blocked === 'IMAGE_SAFETY' && inputs.length > 0
    return { code: 'content_policy', reason: isOfInput ? 'input_rejected' : 'prompt_rejected' }
  }
  const [ended] = getPath(body, 'candidates.0.finishReason')
  if (typeof ended !== 'string') return failed
  if (withheld.has(ended.replace(/^IMAGE_/, '')) || ended === 'IMAGE_SAFETY') return { code: 'content_policy', reason: 'output_rejected' }
  if (['STOP', 'NO_IMAGE', 'LANGUAGE'].includes(ended)) return { code: 'prompt_validation', reason: 'prompt_failed' }
  return failed
}

/** The cost of the answer's tokens. Image tokens cost more than text tokens. */
function tokenCost(body: Json | undefined, { rates }: GoogleSettings): Cost | undefined {
  const count = (at: string) => getNumberAtPath(body, `usageMetadata.${at}`)
  const quantity = count('totalTokenCount')
  if (quantity === undefined) return undefined
  const made = count('candidatesTokenCount') ?? 0
  const media = getPath(body, 'usageMetadata.candidatesTokensDetails.*')
    .filter((detail) => getPath(detail, 'modality')[0] === 'IMAGE')
    .reduce<number>((sum, detail) => sum + (getNumberAtPath(detail, 'tokenCount') ?? 0), 0)
  if (!rates) return { quantity, unit: 'token' }
  const words = Math.max(0, made - media) + (count('thoughtsTokenCount') ?? 0)
  const millionths = (count('promptTokenCount') ?? 0) * rates.input + media * rates.media + words * rates.text
  return { usd: millionths / 1_000_000, quantity, unit: 'token' }
}
