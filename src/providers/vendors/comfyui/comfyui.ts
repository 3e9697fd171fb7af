import type { Json } from '../../../contract/json.ts'
import { checkInputLimits } from '../../connector/checkInputLimits.ts'
import { getObjectAtPath, getPath } from '../../connector/jsonPath.ts'
import { settingsReader } from '../../connector/settings.ts'
import { submitRefusal } from '../../connector/statusFailure.ts'
import type { VendorOptions } from '../../connector/vendor.ts'
import { makeVendorClient, type VendorAnswer, type VendorClient } from '../../connector/vendorClient.ts'
import { fetchOutput } from '../../outputs/fetchOutput.ts'
import type { Health, JobHandle, JobSpec, Poll, Provider, ProviderContext, Submitted } from '../../provider.ts'
import { cancelPrompt } from './cancelPrompt.ts'
import { refusedWorkflow } from './comfyuiFailures.ts'
import { type ComfyuiSettings, comfyuiSettings } from './comfyuiSettings.ts'
import { fillWorkflow } from './fillWorkflow.ts'
import { findPrompt, type PromptLocation } from './findPrompt.ts'
import { promptIdOf } from './promptId.ts'
import { readHistoryEntry } from './readHistoryEntry.ts'
import { type SavedFile, viewPath } from './savedFiles.ts'
import { uploadInputs } from './uploadInputs.ts'

const read = settingsReader(comfyuiSettings)
const firstPollMs = 1000
const queuedPollMs = 3000

/** The provider that sends work to ComfyUI. Contract: docs/contract.md#providers. */
export function makeComfyui({ url, key, outputs }: VendorOptions): Provider {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const ask = makeVendorClient({ url, headers })
  return {
    id: 'comfyui',
    capabilities: { cancel: 'always', idempotentSubmit: true, reportsQueue: true },
    submit: (spec, context) => submit(ask, spec, context),
    poll: (handle, spec, context) => poll(ask, handle, spec, context),
    collect: ({ data, mimeType }, _spec, { signal }) => {
      const path = viewPath(data as SavedFile)
      return fetchOutput(outputs, { url: url + path, vendorUrl: url, headers, mimeType, signal })
    },
    cancel: (handle, { signal }) => cancelPrompt(ask, promptIn(handle), signal),
    health: ({ signal }) => health(ask, signal, key !== undefined),
  }
}

/**
 * Hands the work over under an id of ours. ComfyUI takes the same id twice and then works twice, so it is asked first whether it knows the
 * id already: a submit may come again whenever its answer was lost.
 */
async function submit(ask: VendorClient, spec: JobSpec, context: ProviderContext): Promise<Submitted> {
  const settings = read(spec.settings)
  const promptId = promptIdOf(spec.idempotencyKey)
  const known = await findPrompt(ask, promptId, context.signal)
  if (known.at === 'refused') return refusal(known.answer, context)
  if (known.at !== 'nowhere') return job(promptId, known)
  const beyond = checkInputLimits(spec)
  if (beyond) return { kind: 'failed', failure: beyond }
  const uploaded = await uploadInputs(ask, spec, promptId, context)
  if (uploaded.kind !== 'names') return uploaded
  const workflow = fillWorkflow(settings, spec, uploaded.names)
  // Events of a prompt that belongs to no client go to every open browser.
  const json = { prompt: workflow as Json, prompt_id: promptId, client_id: 'atelier' }
  const answer = await ask.json({ method: 'POST', path: '/prompt', json, signal: context.signal })
  if (answer.status === 200) return accepted(answer, promptId, context)
  if (answer.status === 503) return recheckPrompt(ask, promptId, answer, context)
  return refusedPrompt(answer, settings, context)
}

/** A build that does not know ids of ours names the prompt itself, and that name is then the one that it goes by. */
function accepted({ body }: VendorAnswer, promptId: string, { log }: ProviderContext): Submitted {
  const [named] = getPath(body, 'prompt_id')
  if (named === undefined || named === promptId) return job(promptId, { at: 'queue' })
  log.warn({ promptId, named }, 'ComfyUI chose a prompt id of its own: it is too old for repeats to be known')
  return job(typeof named === 'string' ? named : promptId, { at: 'queue' })
}

/** A proxy may say 503 of a prompt that ComfyUI has: ComfyUI never says it itself. */
async function recheckPrompt(ask: VendorClient, promptId: string, answer: VendorAnswer, context: ProviderContext): Promise<Submitted> {
  const found = await findPrompt(ask, promptId, context.signal)
  if (found.at === 'refused') throw new Error('ComfyUI does not say whether it has the prompt')
  return found.at === 'nowhere' ? refusal(answer, context) : job(promptId, found)
}

function job(promptId: string, { at, ...where }: PromptLocation | { at: 'queue' }): Submitted {
  const handle: JobHandle = { provider: 'comfyui', v: 1, data: { promptId } }
  const position = 'position' in where ? { position: where.position } : {}
  return { kind: 'job', handle, state: at === 'queue' ? 'queued' : 'running', ...position, pollAfterMs: firstPollMs }
}

/** A fault of the server, or of what stands before it, says nothing of whether the prompt was taken: the next submit looks. */
function refusedPrompt(answer: VendorAnswer, settings: ComfyuiSettings, context: ProviderContext): Submitted {
  if (answer.status === 400) return { kind: 'failed', failure: refusedWorkflow(answer.body, settings, context.log) }
  return refusal(answer, context)
}

function refusal(answer: VendorAnswer, { clock }: ProviderContext): Submitted {
  if (answer.status === 408 || (answer.status >= 500 && answer.status !== 503)) throw new Error(`ComfyUI answers with ${answer.status}`)
  // Asked only where the prompt is certainly not there.
  const refused = submitRefusal(answer, { now: clock.now(), isOwnError: true })
  if (!refused) throw new Error(`ComfyUI answers with ${answer.status}, which it never does`)
  return refused
}

async function poll(ask: VendorClient, handle: JobHandle, spec: JobSpec, { signal, log }: ProviderContext): Promise<Poll> {
  const promptId = promptIn(handle)
  const found = await findPrompt(ask, promptId, signal)
  switch (found.at) {
    case 'queue':
      return { state: 'queued', position: found.position, pollAfterMs: queuedPollMs }
    case 'work':
      return { state: 'running', pollAfterMs: firstPollMs }
    case 'end':
      return readHistoryEntry(found.entry, read(spec.settings), spec.outputType, log)
    case 'nowhere':
      log.warn({ promptId }, 'ComfyUI no longer knows the prompt: it was started anew, or somebody deleted the prompt there')
      return { state: 'failed', failure: { code: 'provider_error', reason: 'provider_failed' } }
    case 'refused':
      throw new Error(`ComfyUI answers with ${found.answer.status}`)
  }
}

function promptIn({ data }: JobHandle): string {
  return (data as { promptId: string }).promptId
}

async function health(ask: VendorClient, signal: AbortSignal, hasToken: boolean): Promise<Health> {
  const { status, body } = await ask.json({ method: 'GET', path: '/system_stats', signal })
  if (status === 200 && getObjectAtPath(body, 'system')) return { ok: true }
  if (status === 401 || status === 403)
    return { ok: false, message: hasToken ? 'rejects COMFYUI_TOKEN' : 'asks for COMFYUI_TOKEN, which is not set' }
  return { ok: false, message: `what answers at COMFYUI_URL is no ComfyUI (status ${status})` }
}
