import { beforeSubmit } from '../../connector/beforeSubmit.ts'
import { mapFields } from '../../connector/fieldMap.ts'
import { getNumberAtPath } from '../../connector/jsonPath.ts'
import { keyHealth } from '../../connector/keyHealth.ts'
import { redactVendorText } from '../../connector/redactVendorText.ts'
import { settingsReader } from '../../connector/settings.ts'
import { submitRefusal } from '../../connector/statusFailure.ts'
import type { VendorOptions } from '../../connector/vendor.ts'
import { makeVendorClient, type VendorAnswer, type VendorClient } from '../../connector/vendorClient.ts'
import { fetchOutput } from '../../outputs/fetchOutput.ts'
import type { OutputUrl } from '../../outputs/outputUrls.ts'
import type { Health, JobHandle, JobSpec, Poll, Provider, ProviderContext, Submitted } from '../../provider.ts'
import { hasEnded, type Prediction, pollResultOf, predictionOf } from './prediction.ts'
import { isReplicateError, refusalFailure, refusalMessage } from './replicateFailures.ts'
import { inputsFailure, mediaOf } from './replicateInputs.ts'
import { type ReplicateSettings, replicateSettings } from './replicateSettings.ts'

const readSettings = settingsReader<ReplicateSettings>(replicateSettings)
const pollIntervalMs = 2_000
/** Answers repeat the inputs with their data URIs. */
const answerBytesMax = 32 * 1024 * 1024
/** The shortest time that Replicate accepts. */
const cancelAfterSecondsMin = 5

/** The provider that sends work to Replicate. Contract: docs/contract.md#providers. */
export function makeReplicate({ url, key = '', outputs }: VendorOptions): Provider {
  const headers = { authorization: `Bearer ${key}` }
  const ask = makeVendorClient({ url, headers })
  return {
    id: 'replicate',
    capabilities: { cancel: 'always', idempotentSubmit: false, reportsQueue: true },
    submit: (spec, context) => submit(ask, spec, context),
    poll: (handle, spec, context) => poll(ask, pathOf(handle), { spec, context }),
    cancel: (handle, context) => cancel(ask, pathOf(handle), context),
    health: (context) => health(ask, context),
    collect: ({ data, mimeType }, _spec, { signal }) => {
      const { url: at } = data as OutputUrl
      return fetchOutput(outputs, { url: at, vendorUrl: url, headers, mimeType, signal })
    },
  }
}

/** The path is built from the id only: a URL of the answer may be elsewhere, and the token is sent to it. */
function pathOf({ data }: JobHandle): string {
  return `/predictions/${encodeURIComponent((data as { id: string }).id)}`
}

async function submit(ask: VendorClient, spec: JobSpec, context: ProviderContext): Promise<Submitted> {
  const settings = readSettings(spec.settings)
  const tooLarge = inputsFailure(spec.inputs)
  if (tooLarge) return { kind: 'failed', failure: tooLarge }
  const media = await beforeSubmit(() => mediaOf(ask, spec, context.signal))
  if (!Array.isArray(media)) return { kind: 'failed', failure: media }
  const input = mapFields(settings, spec, media)
  const answer = await ask.json({
    method: 'POST',
    path: settings.version === undefined ? `/models/${settings.model}/predictions` : '/predictions',
    headers: cancelAfter(spec, context),
    json: settings.version === undefined ? { input } : { version: settings.version, input },
    signal: context.signal,
    answerBytesMax,
  })
  const refused = submitRefusal(answer, { now: context.clock.now(), isOwnError: isReplicateError(answer) })
  if (refused?.kind === 'busy') return { ...retryAfterOf(answer), ...refused }
  if (refused) {
    warn(context, spec, { status: answer.status, words: refusalMessage(answer), message: 'Replicate refused the work' })
    return { kind: 'failed', failure: refusalFailure(answer, { spec, map: settings }) }
  }
  const prediction = predictionOf(answer.body)
  if (!prediction) throw new Error('Replicate accepted the work without a prediction id')
  const state = prediction.status === 'starting' ? 'queued' : 'running'
  return { kind: 'job', handle: { provider: 'replicate', v: 1, data: { id: prediction.id } }, state, pollAfterMs: pollIntervalMs }
}

/** Replicate cancels unfinished work at the deadline, even when this service is down. */
function cancelAfter({ deadlineAt }: JobSpec, { clock }: ProviderContext): Record<string, string> {
  if (!deadlineAt) return {}
  const seconds = Math.ceil((deadlineAt.getTime() - clock.now().getTime()) / 1000)
  return { 'cancel-after': `${Math.max(cancelAfterSecondsMin, seconds)}s` }
}

/** Replicate sends the wait in the body instead of a header. */
function retryAfterOf({ body }: VendorAnswer): { retryAfterMs?: number } {
  const seconds = getNumberAtPath(body, 'retry_after')
  return seconds !== undefined && seconds >= 0 && seconds <= 3600 ? { retryAfterMs: seconds * 1000 } : {}
}

type PollContext = { spec: JobSpec; context: ProviderContext }

async function poll(ask: VendorClient, path: string, { spec, context }: PollContext): Promise<Poll> {
  const prediction = await getPrediction(ask, path, context.signal)
  const result = pollResultOf(prediction, { spec, settings: readSettings(spec.settings) })
  if (result === undefined) {
    if (prediction.status === 'starting') return { state: 'queued', pollAfterMs: pollIntervalMs }
    const { progress } = prediction
    return { state: 'running', ...(progress === undefined ? {} : { progress }), pollAfterMs: pollIntervalMs }
  }
  if (result.state === 'failed') {
    warn(context, spec, { id: prediction.id, status: prediction.status, words: prediction.error, message: 'the work failed at Replicate' })
  }
  return result
}

async function getPrediction(ask: VendorClient, path: string, signal: AbortSignal): Promise<Prediction> {
  const answer = await ask.json({ method: 'GET', path, signal, answerBytesMax })
  const prediction = answer.status <= 299 ? predictionOf(answer.body) : undefined
  if (!prediction) throw new Error(`Replicate responded to a poll with ${answer.status}`)
  return prediction
}

async function cancel(ask: VendorClient, path: string, { signal }: ProviderContext): Promise<'cancelled' | 'too_late' | 'unknown'> {
  const answer = await ask.json({ method: 'POST', path: `${path}/cancel`, signal, answerBytesMax })
  if (answer.status === 404) return 'unknown'
  if (answer.status > 299) throw new Error(`Replicate responded to a cancel with ${answer.status}`)
  const status = predictionOf(answer.body)?.status
  return status !== undefined && hasEnded(status) && status !== 'canceled' && status !== 'aborted' ? 'too_late' : 'cancelled'
}

async function health(ask: VendorClient, { signal }: ProviderContext): Promise<Health> {
  const { status } = await ask.json({ method: 'GET', path: '/account', signal })
  return keyHealth(status, { variable: 'REPLICATE_API_TOKEN' })
}

function warn(
  { log }: ProviderContext,
  spec: JobSpec,
  { words, message, ...fields }: Record<string, unknown> & { words: string; message: string },
): void {
  log.warn({ ...fields, words: redactVendorText(words, spec) }, message)
}
