import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

/**
 * Every column that names an object in storage, as selections of id, key, size_bytes and sha256, ordered by primary key. A new column of
 * that kind must be added here; otherwise backups skip its objects and the check for lost objects does too.
 *
 * Expired files may be removed at any moment, unless unfinished work uses them. The staged output of a vendor ("made") is kept until its
 * generation ends; its size is not recorded.
 */
export const namedObjects = {
  files: `select f.id, f.storage_key as key, f.size_bytes, f.sha256, f.state <> 'ready' as settling from files f
    where f.state <> 'failed' and (f.expires_at > present() or exists (select from inputs_in_use u where u.input_id = f.id))`,
  made: `select g.id, 'made/' || g.id || '/' || a.number as key, null::bigint as size_bytes, null::text as sha256, false as settling
    from generations g join generation_attempts a on a.generation_id = g.id and a.number = g.attempt
    where g.finished_at is null and jsonb_path_exists(a.outputs, '$[*] ? (exists(@.kept))')`,
  results: `select g.id, g.result->>'storageKey' as key, (g.result->>'sizeBytes')::bigint as size_bytes, g.result->>'sha256' as sha256,
      false as settling
    from generations g where g.state = 'ready' and g.result ? 'storageKey'`,
} as const

/** An object as its row describes it; size and checksum are undefined where the row has none. `settling`: the upload may still be running. */
export type NamedObject = { key: string; sizeBytes: number | undefined; sha256: string | undefined; settling: boolean }

type Row = { key: string; sizeBytes: number | null; sha256: string | null; settling: boolean }

const stillNamed = statement<Row>(
  'still_named_objects',
  Object.values(namedObjects)
    .map((selection) => `select o.key, o.size_bytes, o.sha256, o.settling from (${selection}) o where o.id = any($1) and o.key = any($2)`)
    .join(' union all '),
)

/** Returns the keys that a row names now, with their descriptions. The second part of a key is the identifier of its row. */
export async function namedNow({ sql }: Pick<Context, 'sql'>, keys: readonly string[]): Promise<Map<string, NamedObject>> {
  const ids = keys.map((key) => key.split('/')[1] ?? '')
  const rows = await sql.all(stillNamed, [ids, keys])
  return new Map(rows.map((row) => [row.key, { ...row, sizeBytes: row.sizeBytes ?? undefined, sha256: row.sha256 ?? undefined }]))
}
