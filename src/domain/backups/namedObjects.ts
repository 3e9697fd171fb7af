import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

/**
 * Every column that names an object in storage, as selections of id, key, size_bytes and sha256: whatever another column comes to name
 * belongs here, or no backup holds it and no check finds it lost. Each is read along its primary key.
 *
 * Files whose time is over are unknown to everybody and may be removed at any moment; those of unfinished work stay. What a vendor sent
 * along lies aside until its generation ends, of a size that nobody wrote down.
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

/** What the database says of an object that it names; size and checksum where its row knows them. `settling`: its bytes may just be on their way. */
export type NamedObject = { key: string; sizeBytes: number | undefined; sha256: string | undefined; settling: boolean }

type Row = { key: string; sizeBytes: number | null; sha256: string | null; settling: boolean }

const stillNamed = statement<Row>(
  'still_named_objects',
  Object.values(namedObjects)
    .map((selection) => `select o.key, o.size_bytes, o.sha256, o.settling from (${selection}) o where o.id = any($1) and o.key = any($2)`)
    .join(' union all '),
)

/** Those of the keys that the database names now, and what it says of them. A key has the identifier of its row in the middle. */
export async function namedNow({ sql }: Pick<Context, 'sql'>, keys: readonly string[]): Promise<Map<string, NamedObject>> {
  const ids = keys.map((key) => key.split('/')[1] ?? '')
  const rows = await sql.all(stillNamed, [ids, keys])
  return new Map(rows.map((row) => [row.key, { ...row, sizeBytes: row.sizeBytes ?? undefined, sha256: row.sha256 ?? undefined }]))
}
