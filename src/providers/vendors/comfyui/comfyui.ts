import type { Json } from '../../../contract/json.ts'
import { checkInputLimits } from '../../connector/checkInputLimits.ts'
import { mapFields } from '../../connector/fieldMap.ts'
import { getObjectAtPath, getPath, setPath } from '../../connector/jsonPath.ts'
import { settingsReader } from '../../connector/settings.ts'
import { submitRefusal } from '../../connector/statusFailure.ts'
import type { VendorOptions } from '../../connector/vendor.ts'
import { makeVendorClient, type VendorAnswer, type VendorClient } from '../../connector/vendorClient.ts'
import { fetchOutput } from '../../outputs/fetchOutput.ts'
import type { Health, JobHandle, JobSpec, Poll, Provider, ProviderContext, Submitted } from '../../provider.ts'
import { cancelPrompt } from './cancelPrompt.ts'
import { refusedWorkflow } from './comfyuiFailures.ts'
import { type ComfyuiSettings, comfyuiSettings, type Workflow } from './comfyuiSettings.ts'
import { findPrompt, type PromptLocation } from './findPrompt.ts'
import { promptIdOf, seedOf } from './promptId.ts'
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
 * Submits the work under our own prompt id. ComfyUI accepts the same id twice and then runs twice, so the id is looked up first: a submit
 * is repeated when its answer was lost.
 */
async function submit(ask: VendorClient, spec: JobSpec, context: ProviderContext): Promise<Submitted> {
  const settings = read(spec.settings)
  const promptId = promptIdOf(spec.idempotencyKey)
  const known = await findPrompt(ask, promptId, context.signal)
  if (known.at === 'refused') return refusal(known.answer, context)
  if (known.at !== 'nowhere') return job(promptId, known)
  const inputFailure = checkInputLimits(spec)
  if (inputFailure) return { kind: 'failed', failure: inputFailure }
  const uploaded = await uploadInputs(ask, spec, promptId, context)
  if (uploaded.kind !== 'names') return uploaded
  const workflow = fillWorkflow(settings, spec, uploaded.names)
  // Events of a prompt without a client id are sent to every open browser.
  const json = { prompt: workflow as Json, prompt_id: promptId, client_id: 'atelier' }
  const answer = await ask.json({ method: 'POST', path: '/prompt', json, signal: context.signal })
  if (answer.status === 200) return accepted(answer, promptId, context)
  if (answer.status === 503) return recheckPrompt(ask, promptId, answer, context)
  return refusedPrompt(answer, settings, context)
}

/** Old builds ignore our id and choose their own. The prompt is then known by that one. */
function accepted({ body }: VendorAnswer, promptId: string, { log }: ProviderContext): Submitted {
  const [reportedId] = getPath(body, 'prompt_id')
  if (reportedId === undefined || reportedId === promptId) return job(promptId, { at: 'queue' })
  log.warn({ promptId, reportedId }, 'ComfyUI ignored our prompt id: this version is too old to detect repeated submits')
  return job(typeof reportedId === 'string' ? reportedId : promptId, { at: 'queue' })
}

/** A proxy can answer 503 although ComfyUI has the prompt. ComfyUI itself never answers 503. */
async function recheckPrompt(ask: VendorClient, promptId: string, answer: VendorAnswer, context: ProviderContext): Promise<Submitted> {
  const found = await findPrompt(ask, promptId, context.signal)
  if (found.at === 'refused') throw new Error('cannot check whether ComfyUI has the prompt')
  return found.at === 'nowhere' ? refusal(answer, context) : job(promptId, found)
}

function job(promptId: string, { at, ...where }: PromptLocation | { at: 'queue' }): Submitted {
  const handle: JobHandle = { provider: 'comfyui', v: 1, data: { promptId } }
  const position = 'position' in where ? { position: where.position } : {}
  return { kind: 'job', handle, state: at === 'queue' ? 'queued' : 'running', ...position, pollAfterMs: firstPollMs }
}

/** An error of the server or of a proxy does not show whether the prompt was accepted. The next submit looks it up. */
function refusedPrompt(answer: VendorAnswer, settings: ComfyuiSettings, context: ProviderContext): Submitted {
  if (answer.status === 400) return { kind: 'failed', failure: refusedWorkflow(answer.body, settings, context.log) }
  return refusal(answer, context)
}

function refusal(answer: VendorAnswer, { clock }: ProviderContext): Submitted {
  if (answer.status === 408 || (answer.status >= 500 && answer.status !== 503)) throw new Error(`ComfyUI responded with ${answer.status}`)
  // At this point ComfyUI certainly does not have the prompt.
  const refused = submitRefusal(answer, { now: clock.now(), isOwnError: true })
  if (!refused) throw new Error(`unexpected status ${answer.status} from ComfyUI`)
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
      log.warn({ promptId }, 'ComfyUI no longer has the prompt: it was restarted, or the prompt was deleted there')
      return { state: 'failed', failure: { code: 'provider_error', reason: 'provider_failed' } }
    case 'refused':
      throw new Error(`ComfyUI responded with ${found.answer.status}`)
  }
}

function promptIn({ data }: JobHandle): string {
  return (data as { promptId: string }).promptId
}

async function health(ask: VendorClient, signal: AbortSignal, hasToken: boolean): Promise<Health> {
  const { status, body } = await ask.json({ method: 'GET', path: '/system_stats', signal })
  if (status === 200 && getObjectAtPath(body, 'system')) return { ok: true }
  if (status === 401 || status === 403)
    return { ok: false, message: hasToken ? 'rejects COMFYUI_TOKEN' : 'requires COMFYUI_TOKEN, which is not set' }
  return { ok: false, message: `the server at COMFYUI_URL is not ComfyUI (status ${status})` }
}

/** Returns the workflow with the values of the request in its mapped inputs. `media`: the names of the uploaded inputs. */
function fillWorkflow(settings: ComfyuiSettings, spec: JobSpec, media: readonly string[]): Workflow {
  const seeds: { [key: string]: Json } = {}
  for (const at of settings.seeds) setPath(seeds, at, seedOf(spec.idempotencyKey))
  const workflow = structuredClone(settings.workflow)
  for (const fields of [seeds, mapFields(settings, spec, media)]) fill(workflow, fields)
  return workflow
}

/** The start has checked that every place is an input of a node. */
function fill(workflow: Workflow, fields: { [key: string]: Json }): void {
  for (const [id, mapped] of Object.entries(fields)) {
    const inputs = (mapped as { inputs?: { [name: string]: Json } }).inputs ?? {}
    for (const [name, value] of Object.entries(inputs)) {
      const node = workflow[id]
      if (node) node.inputs[name] = escapeList(value)
    }
  }
}

/** ComfyUI reads a plain list as a link to the output of a node. */
function escapeList(value: Json): Json {
  return Array.isArray(value) ? { __value__: value } : value
}
