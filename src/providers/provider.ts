import type { Readable } from 'node:stream'
import type { Failure } from '../contract/failures/failures.ts'
import type { Json } from '../contract/json.ts'
import type { MediumLimits } from '../contract/shapes/media.ts'

/** One media input of the work, in the order of the request. */
export type ProviderInput = {
  field: 'imageIds' | 'videoIds' | 'audioIds' | 'model3dIds'
  mimeType: string
  sizeBytes: number
  width: number | null
  height: number | null
  durationSeconds: number | null
  /** Opens the bytes in our storage. May be called more than once. */
  open(): Promise<Readable>
  /** Our URL from which the vendor may fetch the bytes. Valid for this attempt, for an hour. */
  link(): string
}

/**
 * The limits of a model. Requests above them were not refused at the start; the connector returns a failure with these numbers.
 * `maxLength`: in code points; `null` when the model declares none.
 */
export type JobLimits = {
  readonly prompt: { readonly maxLength: number | null }
  readonly images: MediumLimits
  readonly videos: MediumLimits
  readonly audios: MediumLimits
  readonly models3d: MediumLimits
}

/** The work for a provider. `idempotencyKey` belongs to one attempt; a job that takes over the attempt uses the same key. */
export type JobSpec = {
  idempotencyKey: string
  familyId: string
  task: string
  outputType: 'image' | 'video' | 'audio' | 'model3d'
  axes: Record<string, string>
  prompt: string | null
  parameters: Record<string, Json>
  inputs: ProviderInput[]
  /** `inputs` of the variant in the catalog file. */
  limits: JobLimits
  /** `provider.settings` of the variant in the catalog file, unchanged. */
  settings: Record<string, Json>
  /** The generation fails after this time. For vendors that accept a time limit. */
  deadlineAt?: Date
}

/** Identifies the work of one attempt at the provider. Stored as JSON, without secrets or bytes. */
export type JobHandle = { provider: string; v: 1; data: Json }

/**
 * An output that is not fetched yet. `data` is for `collect` and stored as JSON. `kept`: the bytes arrived with the answer and are in our
 * storage, by `keep` of the context; `collect` is not called.
 */
export type Output = { data: Json; mimeType?: string; kept?: true }

/** The cost of the work for the operator as reported by the vendor: `usd` if known, and the vendor's billing units. */
export type Cost = { usd?: number; quantity?: number; unit?: string }

/**
 * `busy`: the provider has certainly not taken the work and bills nothing. The runner submits it again, after `retryAfterMs` if given.
 * `job` without a `state` counts as begun, unless the provider reports its queue.
 */
export type Submitted =
  | { kind: 'job'; handle: JobHandle; state?: 'queued' | 'running'; position?: number; pollAfterMs: number }
  | { kind: 'done'; outputs: Output[]; cost?: Cost }
  | { kind: 'busy'; retryAfterMs?: number }
  | { kind: 'failed'; failure: Failure }

/** `position`: 1 is next. `progress`: 0 to 1. */
export type Poll =
  | { state: 'queued'; position?: number; pollAfterMs: number }
  | { state: 'running'; progress?: number; pollAfterMs: number }
  | { state: 'succeeded'; outputs: Output[]; cost?: Cost }
  | { state: 'failed'; failure: Failure }
  | { state: 'cancelled' }

export type Collected = { state: 'bytes'; stream: Readable; mimeType: string } | { state: 'failed'; failure: Failure }

/** Thrown by the stream of {@link Collected}: the content can never be a result. */
export class UnfitOutput extends Error {
  readonly failure: Failure

  constructor(failure: Failure, cause: unknown) {
    super(`${failure.code}/${failure.reason}`, { cause })
    this.name = 'UnfitOutput'
    this.failure = failure
  }
}

/** Thrown by `collect` or by the stream of {@link Collected}: the vendor broke off or stalled while it sent an output. */
export class BrokenOutput extends Error {
  constructor(cause: unknown) {
    super(`the output broke off: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'BrokenOutput'
  }
}

export type ProviderContext = {
  /**
   * Aborts at the time limit of the call. For `poll` and `collect` also on a cancel and at shutdown; for a `submit` with `closesOnCancel`
   * also on a cancel, and for one with `idempotentSubmit` also at shutdown.
   */
  signal: AbortSignal
  clock: { now(): Date }
  /** Stores bytes that arrive with the answer to a `submit` or `poll`: one output, the first that fits. */
  keep(content: Uint8Array | Readable, mimeType: string): Promise<Output>
  log: ProviderLog
}

/** The operator's log: a vendor's error messages and skipped outputs. Never a key, never text of a caller. */
export type ProviderLog = { warn(fields: Record<string, unknown>, message: string): void }

/** Whether a vendor can take work now. `message` is for the operator and contains no key. */
export type Health = { ok: boolean; message?: string }

export type ProviderMethod = 'submit' | 'poll' | 'collect' | 'cancel' | 'health'

/**
 * A source of models. A verdict about the work is a value. A throw means that the call failed; the runner repeats it later.
 * After a crash without a handle, the runner repeats `submit` only with `idempotentSubmit`.
 */
export type Provider = {
  id: string
  /** Simulates failures on request. They do not count for circuit breakers. */
  simulated?: true
  /** `reportsQueue`: reports whether accepted work has begun. Without it, accepted work counts as begun. */
  capabilities: { cancel: 'queued' | 'always' | 'never'; idempotentSubmit: boolean; reportsQueue?: boolean }
  /**
   * Whether the answer to this submit is the result itself. Then there is no handle to lose, and a cancel closes the connection: the
   * vendor may stop and bill less.
   */
  closesOnCancel?(spec: JobSpec): boolean
  /** Time limits of calls that need more than the runner's defaults, such as a vendor that answers with the result. */
  answerSeconds?: Partial<Record<ProviderMethod, number>>
  submit(spec: JobSpec, context: ProviderContext): Promise<Submitted>
  poll(handle: JobHandle, spec: JobSpec, context: ProviderContext): Promise<Poll>
  /** Fetches the bytes of an output. A repeat after a crash must return the same bytes or a failure. */
  collect(output: Output, spec: JobSpec, context: ProviderContext): Promise<Collected>
  cancel(handle: JobHandle, context: ProviderContext): Promise<'cancelled' | 'too_late' | 'unsupported' | 'unknown'>
  health?(context: ProviderContext): Promise<Health>
  /** Ends helper processes of the provider. */
  close?(): Promise<void>
}
