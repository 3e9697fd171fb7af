import type { Json } from '../../../contract/json.ts'
import { beforeSubmit } from '../../beforeSubmit.ts'
import { fetchOutput } from '../../fetchOutput.ts'
import { fieldsOf } from '../../fieldMap.ts'
import { keyHealth } from '../../keyHealth.ts'
import type { OutputAddress } from '../../outputsAt.ts'
import { findAt, textAt } from '../../places.ts'
import type { Health, JobHandle, JobSpec, Poll, Provider, ProviderContext, Submitted } from '../../provider.ts'
import { settingsReader } from '../../settings.ts'
import { refusedSubmit } from '../../statusVerdict.ts'
import type { VendorOptions } from '../../vendor.ts'
import { type AskVendor, askVendor } from '../../vendorRequest.ts'
import { vendorWords } from '../../vendorWords.ts'
import { type FalError, falError, falFailure, isFalError } from './falFailures.ts'
import { type FalWork, falHandle } from './falHandle.ts'
import { mediaOf, waysOf } from './falInputs.ts'
import { readResult } from './falResult.ts'
import { type FalSettings, falSettings } from './falSettings.ts'

const readSettings = settingsReader<FalSettings>(falSettings)
const pauseMs = 2_000
/** How long what was made stays at fal for everybody who knows its address: we fetch it at once. */
const keptSeconds = 86_400

/** What each step needs. */
type Means = { ask: AskVendor; url: string }

/** The provider that sends work to fal. Contract: docs/contract.md#providers. */
export function makeFal({ url, key = '', outputs }: VendorOptions): Provider {
  const headers = { authorization: `Key ${key}` }
  const means: Means = { ask: askVendor({ url, headers }), url }
  return {
    id: 'fal',
    // What has begun is told to stop as well, and stops where the model heeds it.
    capabilities: { cancel: 'always', idempotentSubmit: false, reportsQueue: true },
    submit: (spec, context) => submit(means, spec, context),
    poll: (handle, spec, context) => poll(means, workOf(handle), { spec, context }),
    cancel: (handle, context) => cancel(means, workOf(handle), context),
    health: (context) => health(means, context),
    collect: ({ data, mimeType }, _spec, { signal }) => {
      const { url: at } = data as OutputAddress
      return fetchOutput(outputs, { url: at, vendorUrl: url, headers, mimeType, signal })
    },
  }
}

function workOf({ data }: JobHandle): FalWork {
  return data as FalWork
}

async function submit({ ask, url }: Means, spec: JobSpec, context: ProviderContext): Promise<Submitted> {
  const settings = readSettings(spec.settings)
  const ways = waysOf(spec.inputs)
  if ('failure' in ways) {
    context.log.warn({ ...ways.failure.details }, 'fal cannot fetch large inputs from BASE_URL, which is not public https')
    return { kind: 'failed', failure: ways.failure }
  }
  const media = await beforeSubmit(() => mediaOf(spec.inputs, ways.links))
  const answer = await ask.json({
    method: 'POST',
    path: `/${settings.model}`,
    headers: {
      // Repeats of what went wrong are ours to decide, and a caller's to pay.
      'x-fal-no-retry': '1',
      ...startWithin(spec, context),
      'x-fal-object-lifecycle-preference': JSON.stringify({ expiration_duration_seconds: keptSeconds }),
    },
    json: fieldsOf(settings, spec, media),
    signal: context.signal,
  })
  const refused = refusedSubmit(answer, { now: context.clock.now(), isOwnError: isFalError(answer) })
  if (refused?.kind === 'busy') return refused
  if (refused) {
    const error = falError(answer)
    warn(context, spec, { error, message: 'fal refused the work' })
    return { kind: 'failed', failure: falFailure(error, { spec, map: settings }) ?? refused.failure }
  }
  const handle = falHandle(answer.body, { url, model: settings.model })
  if (!handle) throw new Error('fal took the work without saying what it is called')
  return { kind: 'job', handle, ...queued(positionOf(answer.body)), pollAfterMs: pauseMs }
}

/** Work that has not begun when nobody waits for it any more is dropped by fal itself, whatever becomes of us. */
function startWithin({ deadlineAt }: JobSpec, { clock }: ProviderContext): Record<string, string> {
  if (!deadlineAt) return {}
  return { 'x-fal-request-timeout': String(Math.max(1, Math.ceil((deadlineAt.getTime() - clock.now().getTime()) / 1000))) }
}

/** fal counts those ahead; we count from 1, which is next. */
function positionOf(body: Json | undefined): number | undefined {
  const [position] = findAt(body, 'queue_position')
  return typeof position === 'number' && Number.isInteger(position) && position >= 0 ? position + 1 : undefined
}

function queued(position: number | undefined) {
  return { state: 'queued' as const, ...(position === undefined ? {} : { position }) }
}

type Look = { spec: JobSpec; context: ProviderContext }

async function poll(means: Means, work: FalWork, { spec, context }: Look): Promise<Poll> {
  const answer = await means.ask.json({ method: 'GET', path: work.status, signal: context.signal })
  const status = textAt(answer.body, 'status')
  if (answer.status > 299 || status === undefined) throw new Error(`fal answered ${answer.status} about work`)
  if (status === 'IN_QUEUE') return { ...queued(positionOf(answer.body)), pollAfterMs: pauseMs }
  // A state that nobody has heard of is one on the way.
  if (status !== 'COMPLETED') return { state: 'running', pollAfterMs: pauseMs }
  const settings = readSettings(spec.settings)
  const result = await readResult(means.ask, work, { settings, outputType: spec.outputType, finished: answer, signal: context.signal })
  if (!('error' in result)) return result
  warn(context, spec, { error: result.error, requestId: work.requestId, message: 'fal did not do the work' })
  const failure = falFailure(result.error, { spec, map: settings })
  return failure ? { state: 'failed', failure } : { state: 'cancelled' }
}

async function cancel({ ask }: Means, work: FalWork, { signal }: ProviderContext): Promise<'cancelled' | 'too_late' | 'unknown'> {
  const { status } = await ask.json({ method: 'PUT', path: work.cancel, signal })
  if (status >= 200 && status <= 299) return 'cancelled'
  if (status === 400) return 'too_late'
  if (status === 404) return 'unknown'
  throw new Error(`fal answered ${status} to a cancel`)
}

/** Asks after work that does not exist: whoever may ask is told so. */
async function health({ ask }: Means, { signal }: ProviderContext): Promise<Health> {
  const path = '/fal-ai/flux/requests/00000000-0000-4000-8000-000000000000/status'
  const { status } = await ask.json({ method: 'GET', path, signal })
  return keyHealth(status, { variable: 'FAL_KEY', good: [200, 202, 400, 404, 422] })
}

function warn({ log }: ProviderContext, spec: JobSpec, said: { error: FalError; requestId?: string; message: string }): void {
  const { status, errorType, details, words } = said.error
  const types = details.map(({ type }) => type)
  log.warn({ requestId: said.requestId, status, errorType, types, words: vendorWords(words, spec) }, said.message)
}
