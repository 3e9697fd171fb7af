import type { Json } from '../../../contract/json.ts'
import { fieldsOf } from '../../fieldMap.ts'
import { findAt, numberAt, textAt } from '../../places.ts'
import type { JobSpec, Output, Poll, ProviderContext, Submitted } from '../../provider.ts'
import type { AskVendor } from '../../vendorRequest.ts'
import { endedFailure, refusedByGoogle, withheldFailure } from './googleFailures.ts'
import type { GoogleSettings } from './googleSettings.ts'
import { type InlineImage, withImages } from './inlineImages.ts'

const lookMs = 5000

/** Begins a video, once: what was asked for goes into the one instance of the request. */
export async function submitVeo(ask: AskVendor, spec: JobSpec, settings: GoogleSettings, context: ProviderContext): Promise<Submitted> {
  const words = spec.prompt === null ? {} : { prompt: spec.prompt }
  const parameters = fieldsOf({ ...settings, inputs: {} }, spec, [])
  const request = await withImages(spec, (images) => ({
    instances: [{ ...words, ...placed(images.map(asVeoImage), settings) }],
    parameters,
  }))
  const answer = await ask.json({
    method: 'POST',
    path: `/models/${settings.model}:predictLongRunning`,
    ...request,
    signal: context.signal,
  })
  const refused = refusedByGoogle(answer, spec, { now: context.clock.now(), log: context.log })
  if (refused) return refused
  const name = textAt(answer.body, 'name')
  if (name === undefined || !operationName.test(name)) throw new Error('Google took a video and did not name its operation')
  return { kind: 'job', handle: { provider: 'google', v: 1, data: { operation: name } }, state: 'running', pollAfterMs: lookMs }
}

/** It becomes part of an address. */
const operationName = /^(?:[\w.-]+\/)*operations\/[\w.-]+$/

function asVeoImage({ mimeType, data }: InlineImage): Json {
  return { bytesBase64Encoded: data, mimeType }
}

function placed(images: readonly Json[], { frames }: GoogleSettings): { [key: string]: Json } {
  const [first, last] = images
  if (first === undefined) return {}
  if (!frames) return { referenceImages: images.map((image) => ({ image, referenceType: 'asset' })) }
  return { image: first, ...(last === undefined ? {} : { lastFrame: last }) }
}

/** Looks at an operation. Until it says that it is done it counts as running, whatever else it says. */
export async function pollVeo(ask: AskVendor, operation: string, spec: JobSpec, { signal, log }: ProviderContext): Promise<Poll> {
  const { status, body } = await ask.json({ method: 'GET', path: `/${operation}`, signal })
  if (status === 404) return { state: 'failed', failure: { code: 'provider_error', reason: 'result_expired' } }
  if (status !== 200) throw new Error(`Google answers with ${status}`)
  if (findAt(body, 'done')[0] !== true) return { state: 'running', pollAfterMs: lookMs }
  const [error] = findAt(body, 'error')
  if (error !== undefined && error !== null) return { state: 'failed', failure: endedFailure(error, spec, log) }
  const outputs = addressesIn(body)
  const reasons = findAt(body, 'response.generateVideoResponse.raiMediaFilteredReasons.*')
  const count = numberAt(body, 'response.generateVideoResponse.raiMediaFilteredCount') ?? 0
  if (outputs.length === 0 && (reasons.length > 0 || count > 0)) {
    return { state: 'failed', failure: withheldFailure(reasons, spec, log) }
  }
  return { state: 'succeeded', outputs }
}

/** Those that say to be something else than a video are left. */
function addressesIn(body: Json | undefined): Output[] {
  return findAt(body, 'response.generateVideoResponse.generatedSamples.*.video').flatMap((video) => {
    const uri = textAt(video, 'uri')
    const mimeType = textAt(video, 'mimeType') ?? 'video/mp4'
    return uri !== undefined && mimeType.startsWith('video/') ? [{ data: { uri }, mimeType }] : []
  })
}
