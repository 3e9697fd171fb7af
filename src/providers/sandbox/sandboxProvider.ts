import { type FileHandle, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { basename } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import type { Failure } from '../../contract/failures/failures.ts'
import type { TaskOutcome } from '../../media/workers/pooledTask.ts'
import { WorkersUnavailable } from '../../media/workers/workersUnavailable.ts'
import type { Collected, JobHandle, JobSpec, Output, Poll, Provider, ProviderContext, Submitted } from '../provider.ts'
import { checkSandboxRequest } from './checkSandboxRequest.ts'
import { undeclaredLimits } from './modelLimits.ts'
import { makeRenderFolder, sweepRenderFolders } from './renderFolder.ts'
import { makeRenderPool, type RenderPool, resultName, workersFolder } from './renderPool.ts'
import type { RenderInput, RenderResult } from './renderTask.ts'
import { mimeTypeOf, renderTaskOf } from './renderTaskOf.ts'
import { simulatedOutcome } from './simulatedOutcome.ts'
import { writeInputFiles } from './writeInputFiles.ts'

export type SandboxOptions = {
  /** Folder of inputs and results while they are processed. Default: the temporary folder of the system. */
  folder?: string
  /** Maximum number of render processes. Default: 1, or 2 with more than two processors. */
  processes?: 1 | 2
  /** A longer render fails as `model_timeout`. */
  renderSecondsMax?: number
  /** A render process with more memory is killed. */
  memoryBytesMax?: number
  /** Called with the reason of a broken render, for the operator's log. */
  onFault?: (message: string) => void
}

/**
 * Models without a vendor: they render real files on this machine, in separate processes. The provider is stateless: a handle contains
 * the time of the result, and the bytes depend only on the job. A repeated `submit` or `collect` is harmless, and a cancel has nothing to
 * stop.
 * Contract: docs/contract.md#sandbox-models.
 */
export function makeSandboxProvider(options: SandboxOptions = {}): Provider {
  const folder = options.folder ?? tmpdir()
  const pool = makeRenderPool({
    processes: options.processes ?? (availableParallelism() > 2 ? 2 : 1),
    memoryBytesMax: options.memoryBytesMax ?? 1_500_000_000,
    renderSecondsMax: options.renderSecondsMax ?? 60,
  })
  let swept: Promise<void> | undefined
  const rendering = ({ signal }: ProviderContext): Rendering => ({ pool, folder, signal, onFault: options.onFault })

  return {
    id: 'sandbox',
    simulated: true,
    capabilities: { cancel: 'always', idempotentSubmit: true },
    submit: async (spec, context) => submit(spec, context),
    poll: async (handle, spec, context) => poll(handle, spec, context),
    async collect(_output, spec, context) {
      // Deletes the leftovers of an earlier process once. A failure does not stop the render.
      swept ??= Promise.all([folder, workersFolder].map(sweepRenderFolders)).then(
        () => {},
        () => {},
      )
      await swept
      return collect(spec, rendering(context))
    },
    cancel: async (handle, context) => (readyAt(handle) > context.clock.now() ? 'cancelled' : 'too_late'),
    health: async (context) => health(rendering(context)),
    close: () => pool.close(),
  }
}

function submit(spec: JobSpec, context: ProviderContext): Submitted {
  const refused = checkSandboxRequest(spec)
  if (refused) return { kind: 'failed', failure: refused }
  const { runSeconds, failure } = simulatedOutcome(spec)
  if (runSeconds === 0) return failure ? { kind: 'failed', failure } : { kind: 'done', outputs: outputs(spec) }
  const at = new Date(context.clock.now().getTime() + runSeconds * 1000)
  const handle: JobHandle = { provider: 'sandbox', v: 1, data: { readyAt: at.toISOString() } }
  return { kind: 'job', handle, pollAfterMs: pollAfterMs(at, runSeconds, context) }
}

function poll(handle: JobHandle, spec: JobSpec, context: ProviderContext): Poll {
  const at = readyAt(handle)
  const { runSeconds, failure } = simulatedOutcome(spec)
  const leftMs = at.getTime() - context.clock.now().getTime()
  if (leftMs > 0) {
    const progress = Math.max(0, 1 - leftMs / (runSeconds * 1000))
    return { state: 'running', progress, pollAfterMs: pollAfterMs(at, runSeconds, context) }
  }
  return failure ? { state: 'failed', failure } : { state: 'succeeded', outputs: outputs(spec) }
}

/** A handle without a valid time counts as ready, because the job determines the result and endless polling would not help. */
function readyAt({ data }: JobHandle): Date {
  const text = typeof data === 'object' && data !== null && !Array.isArray(data) ? data['readyAt'] : undefined
  const at = new Date(typeof text === 'string' ? text : 0)
  return Number.isNaN(at.getTime()) ? new Date(0) : at
}

/** Polls at the ready time, and about twenty times before it for the progress, at most once a second. */
function pollAfterMs(at: Date, runSeconds: number, { clock }: ProviderContext): number {
  const stepMs = Math.min(5000, Math.max(1000, runSeconds * 50))
  return Math.min(stepMs, Math.max(1, at.getTime() - clock.now().getTime()))
}

function outputs(spec: JobSpec): Output[] {
  return [{ data: { index: 0 }, mimeType: mimeTypeOf(renderTaskOf(spec, [])) }]
}

type Rendering = { pool: RenderPool; folder: string; signal: AbortSignal; onFault: ((message: string) => void) | undefined }

async function collect(spec: JobSpec, { pool, folder, signal, onFault }: Rendering): Promise<Collected> {
  signal.throwIfAborted()
  const inputFolder = await makeRenderFolder(folder)
  try {
    const inputs = await writeInputFiles(spec, inputFolder, signal)
    if (!Array.isArray(inputs)) return { state: 'failed', failure: inputs }
    const task = renderTaskOf(
      spec,
      inputs.map((input) => ({ ...input, path: basename(input.path) })),
    )
    const outcome = await pool.run(task, { lend: inputFileMap(inputs), take: resultName, signal })
    if (outcome.taken) return { state: 'bytes', stream: streamOf(outcome.taken, signal), mimeType: mimeTypeOf(task) }
    if (outcome.kind !== 'done') onFault?.(`${spec.task}: ${outcome.message}`)
    return { state: 'failed', failure: failureOf(outcome) }
  } catch (error) {
    if (!(error instanceof WorkersUnavailable && error.reason === 'not_started')) throw error
    onFault?.(`${spec.task}: ${error.message}`)
    return { state: 'failed', failure: { code: 'provider_error', reason: 'provider_failed' } }
  } finally {
    await rm(inputFolder, { recursive: true, force: true })
  }
}

function inputFileMap(inputs: RenderInput[]): Record<string, string> {
  return Object.fromEntries(inputs.map(({ path }) => [basename(path), path]))
}

function failureOf(outcome: TaskOutcome<RenderResult>): Failure {
  if (outcome.kind === 'done' && outcome.result.kind === 'refused') return outcome.result.failure
  if (outcome.kind === 'timed_out') return { code: 'timeout', reason: 'model_timeout' }
  return { code: 'provider_error', reason: 'provider_failed' }
}

/** The open file is already unlinked. Its bytes are freed when the stream ends. */
function streamOf(file: FileHandle, signal: AbortSignal): Readable {
  const stream = file.createReadStream()
  // An abort before the stream has a reader must not crash the service. The reader still gets the error.
  stream.on('error', () => {})
  return addAbortSignal(signal, stream)
}

/** The smallest job that shows whether this machine can render. */
const healthJob: JobSpec = {
  idempotencyKey: 'health',
  familyId: 'sandbox-image',
  task: 'text-to-image',
  outputType: 'image',
  axes: {},
  prompt: 'health',
  parameters: { width: 64, height: 64 },
  inputs: [],
  limits: undeclaredLimits,
  settings: {},
}

async function health(rendering: Rendering): Promise<{ ok: boolean; message?: string }> {
  const collected = await collect(healthJob, rendering)
  if (collected.state === 'failed') return { ok: false, message: 'the sandbox cannot render on this machine' }
  collected.stream.destroy()
  return { ok: true }
}
