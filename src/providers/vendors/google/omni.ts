import type { Json } from '../../../contract/json.ts'
import { mapFields } from '../../connector/fieldMap.ts'
import { getNumberAtPath, getPath, getTextAtPath, setPath } from '../../connector/jsonPath.ts'
import type { VendorClient } from '../../connector/vendorClient.ts'
import type { FirstOutputStager } from '../../outputs/stageFirstOutput.ts'
import { type Cost, type JobSpec, type Poll, type ProviderContext, type ProviderLog, type Submitted, UnfitOutput } from '../../provider.ts'
import { googleRefusal, operationFailure } from './googleFailures.ts'
import type { GoogleSettings } from './googleSettings.ts'
import { withImages } from './inlineImages.ts'
import { readMedia } from './readMedia.ts'

const pollIntervalMs = 4000

/** Starts one background interaction. Images come before the prompt, as in Google's examples. */
export async function submitOmni(ask: VendorClient, spec: JobSpec, settings: GoogleSettings, context: ProviderContext): Promise<Submitted> {
  const json = mapFields({ ...settings, inputs: {} }, spec, [])
  json['model'] = settings.model
  setPath(json, 'response_format.type', 'video')
  const options = { background: true, store: true, stream: false }
  const textParts = spec.prompt === null ? [] : [{ type: 'text', text: spec.prompt }]
  const request = await withImages(spec, (images) => ({
    ...json,
    input: [...images.map(({ mimeType, data }) => ({ type: 'image', mime_type: mimeType, data })), ...textParts],
    ...options,
  }))
  const answer = await ask.json({ method: 'POST', path: '/interactions', ...request, signal: context.signal })
  const refused = googleRefusal(answer, spec, { now: context.clock.now(), log: context.log })
  if (refused) return refused
  const id = getTextAtPath(answer.body, 'id')
  if (!id) throw new Error('Google accepted an interaction without an id')
  return { kind: 'job', handle: { provider: 'google', v: 1, data: { interaction: id } }, state: 'running', pollAfterMs: pollIntervalMs }
}

/** Polls an interaction. Stages the output of a finished interaction in our storage. An unknown status counts as running. */
export async function pollOmni(
  ask: VendorClient,
  id: string,
  spec: JobSpec,
  settings: GoogleSettings,
  context: ProviderContext,
): Promise<Poll> {
  const { status, body: stream } = await ask.stream({ method: 'GET', path: pathOf(id), signal: context.signal })
  try {
    const { body, media } = await readMedia({ status, body: stream }, spec, context)
    if (status === 404) return { state: 'failed', failure: { code: 'provider_error', reason: 'result_expired' } }
    if (status !== 200) throw new Error(`Google responded with ${status}`)
    if (body === undefined && media.outputs().length > 0) return { state: 'succeeded', outputs: media.outputs() }
    return pollResultOf(body, { spec, settings, media, log: context.log })
  } catch (error) {
    if (error instanceof UnfitOutput) return { state: 'failed', failure: error.failure }
    throw error
  }
}

type ResponseContext = { spec: JobSpec; settings: GoogleSettings; media: FirstOutputStager; log: ProviderLog }

function pollResultOf(body: Json | undefined, context: ResponseContext): Poll {
  switch (getPath(body, 'status')[0]) {
    case 'completed':
      return completed(body, context)
    case 'cancelled':
      return { state: 'cancelled' }
    case 'failed':
    case 'incomplete':
    case 'budget_exceeded':
    case 'requires_action':
      return { state: 'failed', failure: operationFailure(errorIn(body), context.spec, context.log) }
    default:
      return { state: 'running', pollAfterMs: pollIntervalMs }
  }
}

function errorIn(body: Json | undefined): Json {
  return [...getPath(body, 'error'), ...getPath(body, 'errors.*')].find((error) => error !== null) ?? {}
}

/** Google returns the video as base64, even when the request asks for a URL. URLs are accepted too. */
function completed(body: Json | undefined, { settings, media, log }: ResponseContext): Poll {
  const videos = getPath(body, 'steps.*.content.*').filter((content) => getPath(content, 'type')[0] === 'video')
  const uris = videos.flatMap((video) => getPath(video, 'uri')).filter((uri) => typeof uri === 'string')
  const outputs = [...media.outputs(), ...uris.map((uri) => ({ data: { uri }, mimeType: 'video/mp4' }))]
  const cost = tokenCost(body, settings)
  if (media.left() > 0) log.warn({ left: media.left() }, 'Google returned more files than were used')
  if (outputs.length > 0) return { state: 'succeeded', outputs, ...(cost && { cost }) }
  log.warn({ steps: getPath(body, 'steps.*.type') }, 'Google returned no video')
  if (videos.length > 0) return { state: 'failed', failure: { code: 'provider_error', reason: 'provider_failed' } }
  return { state: 'failed', failure: { code: 'content_policy', reason: 'output_rejected' } }
}

/** Prices all output tokens at the rate of the medium, because nearly all of them are video. */
function tokenCost(body: Json | undefined, { rates }: GoogleSettings): Cost | undefined {
  const count = (at: string) => getNumberAtPath(body, `usage.${at}`)
  const [input, output] = [count('total_input_tokens') ?? 0, count('total_output_tokens')]
  if (output === undefined) return undefined
  const quantity = input + output
  if (!rates) return { quantity, unit: 'token' }
  const thoughtCost = (count('total_thought_tokens') ?? 0) * rates.text
  return { usd: (input * rates.input + output * rates.media + thoughtCost) / 1_000_000, quantity, unit: 'token' }
}

/** Cancels an interaction that has not ended. */
export async function cancelOmni(ask: VendorClient, id: string, signal: AbortSignal): Promise<'cancelled' | 'too_late'> {
  const { status } = await ask.json({ method: 'POST', path: `${pathOf(id)}/cancel`, json: {}, signal })
  if (status === 200) return 'cancelled'
  if (status === 400 || status === 404 || status === 409) return 'too_late'
  throw new Error(`Google responded to a cancel with ${status}`)
}

function pathOf(id: string): string {
  return `/interactions/${encodeURIComponent(id)}`
}
