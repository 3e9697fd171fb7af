import { limits } from '../../../contract/limits.ts'
import type { Generation } from '../../../entities/Generation.ts'
import type { NamedInput } from '../../files/findInputs.ts'
import { type Sql, statement } from '../../sql.ts'
import { insertColumns } from './newGeneration.ts'

/** What belongs to one start: its row, the inputs that it names, and what a repeat under its idempotency key is told. */
export type NewStart = {
  row: Generation
  inputs: NamedInput[]
  /** How many generations its owner may have open in its family; none keeps it from nothing. */
  openMax?: number | undefined
  /** With which its jobs go on, while traces are made. */
  traceParent?: string | undefined
  idempotency: { scope: string; key: string; fingerprint: Buffer; response: string } | undefined
}

/** What became of a start, see `migrations/functions/start_generations.sql`. */
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

/** How long files stay that a generation uses, counted from its start. */
const inputRetentionDays = limits.unusedFileDays

const startAll = statement<{ verdicts: StartVerdict[] }>(
  'start_generations',
  `select start_generations($1::text[], $2::text[], $3::text[], $4::bigint[], $5::jsonb,
     $6::text[], $7::text[], $8::bytea[], $9::text[], $10, $11::integer[], $12::text[], $13, $14) as verdicts`,
)

/**
 * Starts all that can be started of `starts`, in one statement and one commit, and says of each what became of it. Either all that it
 * says holds, or, when it rejects, nothing is known: an answer can be lost after the commit. No two may have one idempotency key.
 * Locks: idempotency keys, accounts, counts of open work, keys, files, generations that are inputs; one that is not `patient` fails rather than wait for one
 * for long.
 */
export async function insertStarts(sql: Sql, starts: NewStart[], { waitForLocks }: { waitForLocks: boolean }): Promise<StartVerdict[]> {
  const rows = starts.map(({ row }) => row)
  const inputs = starts.flatMap((start, index) => start.inputs.map(({ id }) => ({ place: index + 1, id })))
  const answered = await sql.one(startAll, [
    rows.map(({ id }) => id),
    rows.map(({ accountId }) => accountId),
    rows.map(({ keyId }) => keyId),
    rows.map(({ price }) => price),
    JSON.stringify(
      starts.map(({ row, traceParent, openMax }) => ({ ...insertColumns(row), trace_parent: traceParent, open_max: openMax })),
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
  return answered?.verdicts ?? []
}
