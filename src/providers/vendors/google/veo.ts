import type { Json } from '../../../contract/json.ts'
import { mapFields } from '../../connector/fieldMap.ts'
import { getNumberAtPath, getPath, getTextAtPath } from '../../connector/jsonPath.ts'
import type { VendorClient } from '../../connector/vendorClient.ts'
import type { JobSpec, Output, Poll, ProviderContext, Submitted } from '../../provider.ts'
import { filteredFailure, googleRefusal, operationFailure } from './googleFailures.ts'
import type { GoogleSettings } from './googleSettings.ts'
import { type InlineImage, withImages } from './inlineImages.ts'

const pollIntervalMs = 5000

/** Starts one video operation. The request has one instance. */
export async function submitVeo(ask: VendorClient, spec: JobSpec, settings: GoogleSettings, context: ProviderContext): Promise<Submitted> {
  const promptField = spec.prompt === null ? {} : { prompt: spec.prompt }
  const parameters = mapFields({ ...settings, inputs: {} }, spec, [])
  const request = await withImages(spec, (images) => ({
    instances: [{ ...promptField, ...placeImages(images.map(asVeoImage), settings) }],
    parameters,
  }))
  const answer = await ask.json({
    method: 'POST',
    path: `/models/${settings.model}:predictLongRunning`,
    ...request,
    signal: context.signal,
  })
  const refused = googleRefusal(answer, spec, { now: context.clock.now(), log: context.log })
  if (refused) return refused
  const name = getTextAtPath(answer.body, 'name')
  if (name === undefined || !operationName.test(name)) throw new Error('Google accepted a video without an operation name')
  return { kind: 'job', handle: { provider: 'google', v: 1, data: { operation: name } }, state: 'running', pollAfterMs: pollIntervalMs }
}

/** The name becomes part of a URL. */
const operationName = /^(?:[\w.-]+\/)*operations\/[\w.-]+$/

function asVeoImage({ mimeType, data }: InlineImage): Json {
  return { bytesBase64Encoded: data, mimeType }
}

function placeImages(images: readonly Json[], { frames }: GoogleSettings): { [key: string]: Json } {
  const [first, last] = images
  if (first === undefined) return {}
  if (!frames) return { referenceImages: images.map((image) => ({ image, referenceType: 'asset' })) }
  return { image: first, ...(last === undefined ? {} : { lastFrame: last }) }
}

/** Polls an operation. It counts as running until `done`. */
export async function pollVeo(ask: VendorClient, operation: string, spec: JobSpec, { signal, log }: ProviderContext): Promise<Poll> {
  const { status, body } = await ask.json({ method: 'GET', path: `/${operation}`, signal })
  if (status === 404) return { state: 'failed', failure: { code: 'provider_error', reason: 'result_expired' } }
  if (status !== 200) throw new Error(`Google responded with ${status}`)
  if (getPath(body, 'done')[0] !== true) return { state: 'running', pollAfterMs: pollIntervalMs }
  const [error] = getPath(body, 'error')
  if (error !== undefined && error !== null) return { state: 'failed', failure: operationFailure(error, spec, log) }
  const outputs = addressesIn(body)
  const reasons = getPath(body, 'response.generateVideoResponse.raiMediaFilteredReasons.*')
  const count = getNumberAtPath(body, 'response.generateVideoResponse.raiMediaFilteredCount') ?? 0
  if (outputs.length === 0 && (reasons.length > 0 || count > 0)) {
    return { state: 'failed', failure: filteredFailure(reasons, spec, log) }
  }
  return { state: 'succeeded', outputs }
}

/** Skips files that declare another type than video. */
function addressesIn(body: Json | undefined): Output[] {
  return getPath(body, 'response.generateVideoResponse.generatedSamples.*.video').flatMap((video) => {
    const uri = getTextAtPath(video, 'uri')
    const mimeType = getTextAtPath(video, 'mimeType') ?? 'video/mp4'
    return uri !== undefined && mimeType.startsWith('video/') ? [{ data: { uri }, mimeType }] : []
  })
}
