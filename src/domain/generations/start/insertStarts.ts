import { limits } from '../../../contract/limits.ts'
import type { Generation } from '../../../entities/Generation.ts'
import type { Context } from '../../context.ts'
import type { NamedInput } from '../../files/findInputs.ts'
import { deferJobNotices, sendStartNotice } from '../../sendNotice.ts'
import { statement } from '../../sql.ts'
import type { OpenedCallback } from '../../webhooks/callbacks/openCallback.ts'
import { insertColumns } from './newGeneration.ts'

/** The part of a context that starts use. */
export type StartContext = Pick<Context, 'pool' | 'log' | 'sql'>

/** One start: its row, its inputs, and the stored answer for a repeat with its idempotency key. */
export type NewStart = {
  row: Generation
  inputs: NamedInput[]
  /** The open generations that the owner may have in the family. Default: no limit. */
  openMax?: number | undefined
  callback?: OpenedCallback | undefined
  /** The trace that its jobs continue, while tracing is on. */
  traceParent?: string | undefined
  idempotency: { scope: string; key: string; fingerprint: Buffer; response: string } | undefined
}

/** The outcome of a start, see `migrations/functions/start_generations.sql`. */
export type StartVerdict =
  | 'started'
  | 'idempotency_in_progress'
  | 'known'
  | 'invalid_token'
  | 'input_gone'
  | 'spend_limit_exceeded'
  | 'insufficient_credits'
  | 'too_many_open'
  | 'crowded'

/** How long the input files of a generation stay after its start. */
const inputRetentionDays = limits.unusedFileDays

const startAll = statement<{ verdicts: StartVerdict[] }>(
  'start_generations',
  `select start_generations($1::text[], $2::text[], $3::text[], $4::bigint[], $5::jsonb,
     $6::text[], $7::text[], $8::bytea[], $9::text[], $10, $11::integer[], $12::text[], $13, $14) as verdicts
     from ${deferJobNotices}`,
)

/**
 * Starts the given generations in one statement and one commit, and returns the outcome of each. After a rejection the outcome is unknown:
 * the answer may be lost after the commit. No two starts may have the same idempotency key. Without `waitForLocks`, fails instead of a long
 * wait for a lock.
 * Locks: idempotency keys, accounts, counts of open work, keys, files, generations that are inputs.
 */
export async function insertStarts(
  context: StartContext,
  starts: NewStart[],
  { waitForLocks }: { waitForLocks: boolean },
): Promise<StartVerdict[]> {
  const rows = starts.map(({ row }) => row)
  const inputs = starts.flatMap((start, index) => start.inputs.map(({ id }) => ({ place: index + 1, id })))
  const answered = await context.sql.one(startAll, [
    rows.map(({ id }) => id),
    rows.map(({ accountId }) => accountId),
    rows.map(({ keyId }) => keyId),
    rows.map(({ price }) => price),
    JSON.stringify(
      starts.map(({ row, traceParent, openMax, callback }) => ({
        ...insertColumns(row),
        trace_parent: traceParent,
        open_max: openMax,
        callback,
      })),
    ),
    starts.map(({ idempotency }) => idempotency?.scope ?? null),
    starts.map(({ idempotency }) => idempotency?.key ?? null),
    starts.map(({ idempotency }) => idempotency?.fingerprint ?? null),
    starts.map(({ idempotency }) => idempotency?.response ?? null),
    limits.idempotencyHours,
    inputs.map(({ place }) => place),
    inputs.map(({ id }) => id),
    inputRetentionDays,
    waitForLocks,
  ])
  sendStartNotice(context)
  return answered?.verdicts ?? []
}
