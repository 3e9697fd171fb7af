import type { Json } from '../../../contract/json.ts'
import { mapFields } from '../../connector/fieldMap.ts'
import { getNumberAtPath, getPath, getTextAtPath } from '../../connector/jsonPath.ts'
import type { VendorClient } from '../../connector/vendorClient.ts'
import type { JobSpec, Output, Poll, ProviderContext, Submitted } from '../../provider.ts'
import { filteredFailure, googleRefusal, operationFailure } from './googleFailures.ts'
import type { GoogleSettings } from './googleSettings.ts'
import { type InlineImage, withImages } from './inlineImages.ts'

const pollIntervalMs = 5000

/** Begins a video, once: what was asked for goes into the one instance of the request. */
export async function submitVeo(ask: VendorClient, spec: JobSpec, settings: GoogleSettings, context: ProviderContext): Promise<Submitted> {
  const words = spec.prompt === null ? {} : { prompt: spec.prompt }
  const parameters = mapFields({ ...settings, inputs: {} }, spec, [])
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
  const refused = googleRefusal(answer, spec, { now: context.clock.now(), log: context.log })
  if (refused) return refused
  const name = getTextAtPath(answer.body, 'name')
  if (name === undefined || !operationName.test(name)) throw new Error('Google took a video and did not name its operation')
  return { kind: 'job', handle: { provider: 'google', v: 1, data: { operation: name } }, state: 'running', pollAfterMs: pollIntervalMs }
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
export async function pollVeo(ask: VendorClient, operation: string, spec: JobSpec, { signal, log }: ProviderContext): Promise<Poll> {
  const { status, body } = await ask.json({ method: 'GET', path: `/${operation}`, signal })
  if (status === 404) return { state: 'failed', failure: { code: 'provider_error', reason: 'result_expired' } }
  if (status !== 200) throw new Error(`Google answers with ${status}`)
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

/** Those that say to be something else than a video are left. */
function addressesIn(body: Json | undefined): Output[] {
  return getPath(body, 'response.generateVideoResponse.generatedSamples.*.video').flatMap((video) => {
    const uri = getTextAtPath(video, 'uri')
    const mimeType = getTextAtPath(video, 'mimeType') ?? 'video/mp4'
    return uri !== undefined && mimeType.startsWith('video/') ? [{ data: { uri }, mimeType }] : []
  })
}
