import { isId } from '../../contract/ids.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import { columnsOf } from '../../database/pool/columnsOf.ts'
import { type FileType, StoredFile } from '../../entities/StoredFile.ts'
import { openToken, sealToken } from '../../secrets/keyRing.ts'
import type { Context } from '../context.ts'
import type { ListWindow } from '../listWindow.ts'
import { type Statement, statement } from '../sql.ts'

/** `unused`: only files that count towards the quota: no generation has used them, and they have not failed. */
export type FileFilter = { type: FileType | null; unused: boolean }

type List = { ownerId: string; filter: FileFilter }

const columns = columnsOf(StoredFile)

/** One statement for each combination, so that each uses the index of its filter. */
function listStatement({ type, unused, fromTheEnd }: { type: boolean; unused: boolean; fromTheEnd: boolean }): Statement<StoredFile> {
  const name = ['files', ...(type ? ['of_type'] : []), ...(unused ? ['unused'] : []), ...(fromTheEnd ? ['backwards'] : [])].join('_')
  const conditions = [...(type ? ['type = $5'] : []), ...(unused ? ['not used', `state <> 'failed'`] : [])]
  return statement(
    name,
    `select ${columns} from files where owner_id = $1 and id < $2 and id > $3 and expires_at > present()
       ${conditions.map((condition) => `and ${condition}`).join(' ')} order by id ${fromTheEnd ? 'asc' : 'desc'} limit $4`,
  )
}

const choices = [true, false].flatMap((type) =>
  [true, false].flatMap((unused) => [true, false].map((fromTheEnd) => ({ type, unused, fromTheEnd }))),
)
const statements = new Map(choices.map((choice) => [JSON.stringify(choice), listStatement(choice)]))

/** Below and above every identifier: their first character is at most 7. */
const [lowest, highest] = ['file_', 'file_8']

/** Lists files of an owner, newest first, without expired ones. Contract: docs/contract.md#list-files. */
export async function listFiles(
  { sql }: Pick<Context, 'sql'>,
  { ownerId, filter: { type, unused } }: List,
  { after, before, limit, fromTheEnd }: ListWindow,
): Promise<StoredFile[]> {
  const query = statements.get(JSON.stringify({ type: type !== null, unused, fromTheEnd }))
  return query ? await sql.all(query, [ownerId, after ?? highest, before ?? lowest, limit, ...(type === null ? [] : [type])]) : []
}

const purpose = 'files_cursor'

/** A page of the files of an owner. Refusals: invalid_cursor for a cursor that was not issued for this owner and filter. */
export async function filesPage(
  context: Context,
  list: List,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ files: StoredFile[]; nextCursor: string | null }> {
  const after = cursor === undefined ? undefined : openCursor(context, list, cursor)
  const found = await listFiles(context, list, { after, limit: limit + 1, fromTheEnd: false })
  const files = found.slice(0, limit)
  const last = found.length > limit ? files.at(-1) : undefined
  return { files, nextCursor: last ? sealToken(context.ring, Buffer.from([...partsOf(list), last.id].join('|')), purpose) : null }
}

function openCursor(context: Context, list: List, cursor: string): string {
  const parts = openToken(context.ring, cursor, purpose)?.toString().split('|') ?? []
  const afterId = parts.pop()
  if (afterId === undefined || !isId('file', afterId) || parts.join('|') !== partsOf(list).join('|')) throw new Refusal('invalid_cursor')
  return afterId
}

function partsOf({ ownerId, filter: { type, unused } }: List): string[] {
  return [ownerId, type ?? '', unused ? 'unused' : '']
}
