import type { Json } from '../../../contract/json.ts'
import { beforeSubmit } from '../../connector/beforeSubmit.ts'
import { mapFields } from '../../connector/fieldMap.ts'
import { getPath, getTextAtPath } from '../../connector/jsonPath.ts'
import { keyHealth } from '../../connector/keyHealth.ts'
import { redactVendorText } from '../../connector/redactVendorText.ts'
import { settingsReader } from '../../connector/settings.ts'
import { submitRefusal } from '../../connector/statusFailure.ts'
import type { VendorOptions } from '../../connector/vendor.ts'
import { makeVendorClient, type VendorClient } from '../../connector/vendorClient.ts'
import { fetchOutput } from '../../outputs/fetchOutput.ts'
import type { OutputUrl } from '../../outputs/outputUrls.ts'
import type { Health, JobHandle, JobSpec, Poll, Provider, ProviderContext, Submitted } from '../../provider.ts'
import { type FalError, falError, falFailure, isFalError } from './falFailures.ts'
import { type FalWork, falHandle } from './falHandle.ts'
import { mediaOf, planInputTransport } from './falInputs.ts'
import { readResult } from './falResult.ts'
import { type FalSettings, falSettings } from './falSettings.ts'

const readSettings = settingsReader<FalSettings>(falSettings)
const pollIntervalMs = 2_000
/** How long fal serves an output to anyone with its URL. It is downloaded at once. */
const resultLifetimeSeconds = 86_400

/** The client and base URL for every request. */
type FalConnection = { ask: VendorClient; url: string }

/** The provider that sends work to fal. Contract: docs/contract.md#providers. */
export function makeFal({ url, key = '', outputs }: VendorOptions): Provider {
  const headers = { authorization: `Key ${key}` }
  const connection: FalConnection = { ask: makeVendorClient({ url, headers }), url }
  return {
    id: 'fal',
    // fal also signals running work to stop; whether it stops depends on the model.
    capabilities: { cancel: 'always', idempotentSubmit: false, reportsQueue: true },
    submit: (spec, context) => submit(connection, spec, context),
    poll: (handle, spec, context) => poll(connection, workOf(handle), { spec, context }),
    cancel: (handle, context) => cancel(connection, workOf(handle), context),
    health: (context) => health(connection, context),
    collect: ({ data, mimeType }, _spec, { signal }) => {
      const { url: at } = data as OutputUrl
      return fetchOutput(outputs, { url: at, vendorUrl: url, headers, mimeType, signal })
    },
  }
}

function workOf({ data }: JobHandle): FalWork {
  return data as FalWork
}

async function submit({ ask, url }: FalConnection, spec: JobSpec, context: ProviderContext): Promise<Submitted> {
  const settings = readSettings(spec.settings)
  const transport = planInputTransport(spec.inputs)
  if ('failure' in transport) {
    context.log.warn({ ...transport.failure.details }, 'fal cannot fetch large inputs from BASE_URL, which is not public https')
    return { kind: 'failed', failure: transport.failure }
  }
  const media = await beforeSubmit(() => mediaOf(spec.inputs, transport.links))
  const answer = await ask.json({
    method: 'POST',
    path: `/${settings.model}`,
    headers: {
      // A repeat costs the caller money, so this service decides about it.
      'x-fal-no-retry': '1',
      ...startTimeoutHeader(spec, context),
      'x-fal-object-lifecycle-preference': JSON.stringify({ expiration_duration_seconds: resultLifetimeSeconds }),
    },
    json: mapFields(settings, spec, media),
    signal: context.signal,
  })
  const refused = submitRefusal(answer, { now: context.clock.now(), isOwnError: isFalError(answer) })
  if (refused?.kind === 'busy') return refused
  if (refused) {
    const error = falError(answer)
    warn(context, spec, { error, message: 'fal refused the work' })
    return { kind: 'failed', failure: falFailure(error, { spec, map: settings }) ?? refused.failure }
  }
  const handle = falHandle(answer.body, { url, model: settings.model })
  if (!handle) throw new Error('fal accepted the work without a request id')
  return { kind: 'job', handle, ...queued(positionOf(answer.body)), pollAfterMs: pollIntervalMs }
}

/** fal drops work that has not begun at the deadline, even when this service is down. */
function startTimeoutHeader({ deadlineAt }: JobSpec, { clock }: ProviderContext): Record<string, string> {
  if (!deadlineAt) return {}
  return { 'x-fal-request-timeout': String(Math.max(1, Math.ceil((deadlineAt.getTime() - clock.now().getTime()) / 1000))) }
}

/** fal counts the requests ahead; the contract counts from 1, which is next. */
function positionOf(body: Json | undefined): number | undefined {
  const [position] = getPath(body, 'queue_position')
  return typeof position === 'number' && Number.isInteger(position) && position >= 0 ? position + 1 : undefined
}

function queued(position: number | undefined) {
  return { state: 'queued' as const, ...(position === undefined ? {} : { position }) }
}

type PollContext = { spec: JobSpec; context: ProviderContext }

async function poll(connection: FalConnection, work: FalWork, { spec, context }: PollContext): Promise<Poll> {
  const answer = await connection.ask.json({ method: 'GET', path: work.status, signal: context.signal })
  const status = getTextAtPath(answer.body, 'status')
  if (answer.status > 299 || status === undefined) throw new Error(`fal responded to a poll with ${answer.status}`)
  if (status === 'IN_QUEUE') return { ...queued(positionOf(answer.body)), pollAfterMs: pollIntervalMs }
  // An unknown state counts as running.
  if (status !== 'COMPLETED') return { state: 'running', pollAfterMs: pollIntervalMs }
  const settings = readSettings(spec.settings)
  const result = await readResult(connection.ask, work, { settings, outputType: spec.outputType, finished: answer, signal: context.signal })
  if (!('error' in result)) return result
  warn(context, spec, { error: result.error, requestId: work.requestId, message: 'the work failed at fal' })
  const failure = falFailure(result.error, { spec, map: settings })
  return failure ? { state: 'failed', failure } : { state: 'cancelled' }
}

async function cancel({ ask }: FalConnection, work: FalWork, { signal }: ProviderContext): Promise<'cancelled' | 'too_late' | 'unknown'> {
  const { status } = await ask.json({ method: 'PUT', path: work.cancel, signal })
  if (status >= 200 && status <= 299) return 'cancelled'
  if (status === 400) return 'too_late'
  if (status === 404) return 'unknown'
  throw new Error(`fal responded to a cancel with ${status}`)
}

/** Requests the status of work that does not exist. A valid key gets an answer about the work. */
async function health({ ask }: FalConnection, { signal }: ProviderContext): Promise<Health> {
  const path = '/fal-ai/flux/requests/00000000-0000-4000-8000-000000000000/status'
  const { status } = await ask.json({ method: 'GET', path, signal })
  return keyHealth(status, { variable: 'FAL_KEY', good: [200, 202, 400, 404, 422] })
}

function warn({ log }: ProviderContext, spec: JobSpec, entry: { error: FalError; requestId?: string; message: string }): void {
  const { status, errorType, details, words } = entry.error
  const types = details.map(({ type }) => type)
  log.warn({ requestId: entry.requestId, status, errorType, types, words: redactVendorText(words, spec) }, entry.message)
}
