import { Refusal } from '../../contract/refusals/refusals.ts'
import { type MediaField, mediaTypeOfField } from '../../contract/shapes/media.ts'
import type { FileState, FileType, StoredFile } from '../../entities/StoredFile.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

/** A media input of a request: found, permitted and measured. */
export type FoundInput = {
  /** The identifier in the request: of a file or a generation. */
  id: string
  field: MediaField
  storageKey: string
  mimeType: string
  sizeBytes: number
  width: number | null
  height: number | null
  durationSeconds: number | null
}

/** An identifier in a request and its field, in request order. */
export type NamedInput = { id: string; field: MediaField }

type Row = {
  id: string
  state: FileState | 'queued' | 'running' | 'finalizing' | 'cancelled'
  type: FileType | 'text' | null
  storageKey: string | null
  mimeType: string | null
  sizeBytes: number | null
  width: number | null
  height: number | null
  durationSeconds: number | null
  refusal: StoredFile['refusal']
}

const findNamed = statement<Row>(
  'find_inputs',
  `select id, state, type, storage_key, mime_type, size_bytes, width, height, duration_seconds, refusal
     from files where id = any($1) and owner_id = $2 and expires_at > $3
   union all
   select g.id, state, output_type, result->>'storageKey', result->>'mimeType', (result->>'sizeBytes')::bigint,
       (result->>'width')::integer, (result->>'height')::integer, (result->>'durationSeconds')::double precision, null
     from unnest($1::text[]) as asked (id) cross join lateral (select * from generations where id = asked.id and owner_id = $2 offset 0) g`,
)

/** Suggested wait before the next attempt. */
export const notReadySeconds = 3

/**
 * Finds the inputs that a request names, in its order, among the files and generations of `ownerId`.
 * Refusals: file_not_found for an input that is unknown, belongs to another owner, has the wrong type, or is a generation that ended
 * without a file; file_processing_failed for an accepted file that turned out to be broken; file_not_ready for an input that is not
 * finished.
 * Contract: docs/contract.md#inputs-of-a-generation.
 */
export async function findInputs(context: Context, ownerId: string, named: NamedInput[]): Promise<FoundInput[]> {
  if (named.length === 0) return []
  const ids = [...new Set(named.map(({ id }) => id))]
  const rows = new Map((await context.sql.all(findNamed, [ids, ownerId, context.clock.now()])).map((row) => [row.id, row]))
  const missing = named.filter(({ id, field }) => isMissing(rows.get(id), field))
  if (missing[0]) {
    const { field } = missing[0]
    const unknown = missing.filter((input) => input.field === field).map(({ id }) => id)
    throw new Refusal('file_not_found', { ids: [...new Set(unknown)], field })
  }
  const broken = ids.find((id) => rows.get(id)?.state === 'failed')
  if (broken) throw new Refusal('file_processing_failed', { fileId: broken, cause: causeOf(rows.get(broken)?.refusal ?? null) })
  const waiting = ids.filter((id) => rows.get(id)?.state !== 'ready')
  if (waiting.length > 0) throw new Refusal('file_not_ready', { fileIds: waiting, retryAfterSeconds: notReadySeconds })
  return named.flatMap(({ id, field }) => {
    const row = rows.get(id)
    if (!row?.storageKey || !row.mimeType || row.sizeBytes === null) return []
    const { storageKey, mimeType, width, height, durationSeconds } = row
    return [{ id, field, storageKey, mimeType, sizeBytes: row.sizeBytes, width, height, durationSeconds }]
  })
}

/** True when the object can never be this input. An unfinished generation counts by its output type. */
function isMissing(row: Row | undefined, field: MediaField): boolean {
  if (!row || row.state === 'cancelled' || (row.state === 'failed' && row.refusal === null)) return true
  if (row.state === 'ready' && row.storageKey === null) return true
  // The type of a file that is still processing may be unknown.
  return row.type !== null && row.type !== mediaTypeOfField(field)
}

/** The cause of a stored refusal. */
function causeOf(refusal: StoredFile['refusal']): string {
  if (refusal?.code === 'unsupported_file_format') return 'unsupported_format'
  const cause = refusal?.details?.['cause']
  return typeof cause === 'string' ? cause : 'not_inspected'
}
