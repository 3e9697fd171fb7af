import type { Readable } from 'node:stream'
import type { Failure } from '../contract/failures/failures.ts'
import type { Json } from '../contract/json.ts'
import type { MediumLimits } from '../contract/shapes/mediumLimits.ts'

/** One media input of the work, in the order of the request. */
export type ProviderInput = {
  field: 'imageIds' | 'videoIds' | 'audioIds' | 'model3dIds'
  mimeType: string
  sizeBytes: number
  width: number | null
  height: number | null
  durationSeconds: number | null
  /** Opens the bytes in our storage; may be called more than once. */
  open(): Promise<Readable>
  /** An address of ours from which the vendor may fetch the bytes: for this attempt alone, for an hour. */
  link(): string
}

/**
 * What a model itself takes. Nobody has refused what lies beyond it: that is the model's to say, with these numbers. `maxLength` is in
 * code points; `null` where the model declares none.
 */
export type JobLimits = {
  readonly prompt: { readonly maxLength: number | null }
  readonly images: MediumLimits
  readonly videos: MediumLimits
  readonly audios: MediumLimits
  readonly models3d: MediumLimits
}

/** What a provider is asked to do. `idempotencyKey` is one per attempt and the same after a takeover of that attempt. */
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
  /** `provider.settings` of the variant in the catalog file, as it stands there. */
  settings: Record<string, Json>
  /** When the work is given up here, for vendors that can be told so. */
  deadlineAt?: Date
}

/** Names work at the provider. JSON, persisted; holds no secret and no bytes. It belongs to one attempt. */
export type JobHandle = { provider: string; v: 1; data: Json }

/**
 * A finished piece of work, not yet fetched: JSON that `collect` understands, persisted between the two. `kept`: its bytes came with the
 * answer and lie in our storage already, by `keep` of the context; the runner fetches it itself.
 */
export type Output = { data: Json; mimeType?: string; kept?: true }

/** What the vendor says that work has cost its operator, in dollars where it is known, and what it counted. */
export type Cost = { usd?: number; quantity?: number; unit?: string }

/**
 * `busy`: it certainly has not taken the work and bills nothing; the same work is asked again, after `retryAfterMs` where it says so.
 * `job` says whether the work has begun; without `state` it counts as begun, unless the provider reports its queue.
 */
export type Submitted =
  | { kind: 'job'; handle: JobHandle; state?: 'queued' | 'running'; position?: number; pollAfterMs: number }
  | { kind: 'done'; outputs: Output[]; cost?: Cost }
  | { kind: 'busy'; retryAfterMs?: number }
  | { kind: 'failed'; failure: Failure }

/** `position` counts from 1, which is next; `progress` goes from 0 to 1. */
export type Poll =
  | { state: 'queued'; position?: number; pollAfterMs: number }
  | { state: 'running'; progress?: number; pollAfterMs: number }
  | { state: 'succeeded'; outputs: Output[]; cost?: Cost }
  | { state: 'failed'; failure: Failure }
  | { state: 'cancelled' }

export type Collected = { state: 'bytes'; stream: Readable; mimeType: string } | { state: 'failed'; failure: Failure }

/** Thrown by the stream of {@link Collected}: what arrives can never be the result. */
export class UnfitOutput extends Error {
  readonly failure: Failure

  constructor(failure: Failure, cause: unknown) {
    super(`${failure.code}/${failure.reason}`, { cause })
    this.name = 'UnfitOutput'
    this.failure = failure
  }
}

/** Thrown by `collect`, or by the stream of {@link Collected}: the vendor has begun to send an output, and broke off or stalled. */
export class BrokenOutput extends Error {
  constructor(cause: unknown) {
    super(`the output broke off: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'BrokenOutput'
  }
}

export type ProviderContext = {
  /**
   * Aborts when the time for an answer is over, and except for `submit` and `cancel`, on a cancel and at shutdown. For a `submit` that
   * `closesOnCancel`, on a cancel as well.
   */
  signal: AbortSignal
  clock: { now(): Date }
  /** Keeps bytes that come with the answer to a `submit` or `poll`: one output, the first that fits. */
  keep(content: Uint8Array | Readable, mimeType: string): Promise<Output>
  log: ProviderLog
}

/** For the operator's eyes: what a vendor said of work that failed, and what of it was left. Never a key, never what a caller wrote. */
export type ProviderLog = { warn(fields: Record<string, unknown>, message: string): void }

/** Whether a vendor could work now; `message` is for the operator, and holds no key. */
export type Health = { ok: boolean; message?: string }

export type ProviderMethod = 'submit' | 'poll' | 'collect' | 'cancel' | 'health'

/**
 * A source of models. A verdict about the work is a value; a throw means "could not ask" and the runner asks again later.
 * `submit` is called again after a crash without a handle only when `idempotentSubmit` holds.
 */
export type Provider = {
  id: string
  /** Plays failures that requests ask for: they say nothing of its health, and lock nobody out. */
  simulated?: true
  /** `reportsQueue`: it says of accepted work whether it has begun. Where it does not, work counts as begun once it is accepted. */
  capabilities: { cancel: 'queued' | 'always' | 'never'; idempotentSubmit: boolean; reportsQueue?: boolean }
  /**
   * Whether the answer to the submit of this work is the result itself. There is no handle to lose then, and a cancel closes the
   * connection: the vendor may stop, and bill less.
   */
  closesOnCancel?(spec: JobSpec): boolean
  /** What a call may take, where the runner's own limits do not fit: a vendor that makes things while one waits. */
  answerSeconds?: Partial<Record<ProviderMethod, number>>
  submit(spec: JobSpec, context: ProviderContext): Promise<Submitted>
  poll(handle: JobHandle, spec: JobSpec, context: ProviderContext): Promise<Poll>
  /** Fetches the bytes of an output. May be repeated after a crash, and must then give the same bytes or a failure. */
  collect(output: Output, spec: JobSpec, context: ProviderContext): Promise<Collected>
  cancel(handle: JobHandle, context: ProviderContext): Promise<'cancelled' | 'too_late' | 'unsupported' | 'unknown'>
  health?(context: ProviderContext): Promise<Health>
  /** Ends helper processes that the provider keeps. */
  close?(): Promise<void>
}
