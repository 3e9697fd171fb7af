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
const pauseMs = 2_000
/** Replicate repeats the inputs in its answers, data URIs included. */
const answerBytesMax = 32 * 1024 * 1024
/** Replicate takes no shorter time. */
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

/** Addresses are made of the name alone: those of the answer may lie elsewhere, and the token is sent there. */
function pathOf({ data }: JobHandle): string {
  return `/predictions/${encodeURIComponent((data as { id: string }).id)}`
}

async function submit(ask: VendorClient, spec: JobSpec, context: ProviderContext): Promise<Submitted> {
  const settings = readSettings(spec.settings)
  const unfit = inputsFailure(spec.inputs)
  if (unfit) return { kind: 'failed', failure: unfit }
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
  if (!prediction) throw new Error('Replicate took the work without saying what it is called')
  const state = prediction.status === 'starting' ? 'queued' : 'running'
  return { kind: 'job', handle: { provider: 'replicate', v: 1, data: { id: prediction.id } }, state, pollAfterMs: pauseMs }
}

/** Work that is not over when nobody waits for it any more is stopped by Replicate itself, whatever becomes of us. */
function cancelAfter({ deadlineAt }: JobSpec, { clock }: ProviderContext): Record<string, string> {
  if (!deadlineAt) return {}
  const seconds = Math.ceil((deadlineAt.getTime() - clock.now().getTime()) / 1000)
  return { 'cancel-after': `${Math.max(cancelAfterSecondsMin, seconds)}s` }
}

/** Says in its body how long to wait, and not in a header. */
function retryAfterOf({ body }: VendorAnswer): { retryAfterMs?: number } {
  const seconds = getNumberAtPath(body, 'retry_after')
  return seconds !== undefined && seconds >= 0 && seconds <= 3600 ? { retryAfterMs: seconds * 1000 } : {}
}

type PollContext = { spec: JobSpec; context: ProviderContext }

async function poll(ask: VendorClient, path: string, { spec, context }: PollContext): Promise<Poll> {
  const prediction = await getPrediction(ask, path, context.signal)
  const verdict = pollResultOf(prediction, { spec, settings: readSettings(spec.settings) })
  if (verdict === undefined) {
    if (prediction.status === 'starting') return { state: 'queued', pollAfterMs: pauseMs }
    const { progress } = prediction
    return { state: 'running', ...(progress === undefined ? {} : { progress }), pollAfterMs: pauseMs }
  }
  if (verdict.state === 'failed') {
    warn(context, spec, { id: prediction.id, status: prediction.status, words: prediction.error, message: 'Replicate did not do the work' })
  }
  return verdict
}

async function getPrediction(ask: VendorClient, path: string, signal: AbortSignal): Promise<Prediction> {
  const answer = await ask.json({ method: 'GET', path, signal, answerBytesMax })
  const prediction = answer.status <= 299 ? predictionOf(answer.body) : undefined
  if (!prediction) throw new Error(`Replicate answered ${answer.status} about work`)
  return prediction
}

async function cancel(ask: VendorClient, path: string, { signal }: ProviderContext): Promise<'cancelled' | 'too_late' | 'unknown'> {
  const answer = await ask.json({ method: 'POST', path: `${path}/cancel`, signal, answerBytesMax })
  if (answer.status === 404) return 'unknown'
  if (answer.status > 299) throw new Error(`Replicate answered ${answer.status} to a cancel`)
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
  { words, message, ...said }: Record<string, unknown> & { words: string; message: string },
): void {
  log.warn({ ...said, words: redactVendorText(words, spec) }, message)
}
