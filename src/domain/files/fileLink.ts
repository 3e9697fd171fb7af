import { isId } from '../../contract/ids.ts'
import { limits } from '../../contract/limits.ts'
import type { StoredFile } from '../../entities/StoredFile.ts'
import { mediaFormats } from '../../media/mediaFormats.ts'
import { openToken, sealToken } from '../../secrets/keyRing.ts'
import type { Services } from '../context.ts'
import { bindSql, statement } from '../sql.ts'

/** An uploaded image or WAV file, for a thumbnail. */
export type LinkedFile = { fileId: string; ownerId: string; storageKey: string; sizeBytes: number; sha256: string; expiresAt: Date }

const purpose = 'file_link'

/** Whether the inspector draws a picture of the file. Other media have none. */
export function hasThumbnail({ type, mimeType, state }: Pick<StoredFile, 'type' | 'mimeType' | 'state'>): boolean {
  return state === 'ready' && (type === 'image' || mimeType === mediaFormats.wav.mimeType)
}

/**
 * The URL of the thumbnail of an uploaded file, for a person of its team or an internal tool. It works for 15 minutes, while the person is
 * in the team. Contract: docs/contract.md#thumbnails.
 */
export function fileLink(
  { ring, clock, settings }: Pick<Services, 'ring' | 'clock' | 'settings'>,
  { fileId, userId }: { fileId: string; userId: string | null },
): string {
  const until = clock.now().getTime() + limits.shortResultLinkMinutes * 60_000
  return `${settings.publicUrl}/r/${sealToken(ring, Buffer.from([fileId, userId ?? '', until].join('|')), purpose)}?preview=1`
}

const find = statement<Omit<LinkedFile, 'fileId' | 'expiresAt'>>(
  'linked_file',
  `select f.owner_id, f.storage_key, f.size_bytes, f.sha256 from files f
     left join teams t on t.id = f.owner_id
     left join memberships m on m.team_id = f.owner_id and m.user_id = $2
     where f.id = $1 and f.state = 'ready' and (f.type = 'image' or f.mime_type = '${mediaFormats.wav.mimeType}') and f.expires_at > present()
       and (t.id is null or (not t.blocked and t.external_access))
       and ($2 = '' or m.user_id is not null or f.owner_id = $2)`,
)

/** The file behind a link. `undefined` for a token that is not of a file, or whose file or person is gone. */
export async function openFileLink(services: Services, token: string): Promise<LinkedFile | undefined> {
  const [fileId = '', userId = '', until] = openToken(services.ring, token, purpose)?.toString().split('|') ?? []
  const expiresAt = new Date(Number(until))
  if (!isId('file', fileId) || !(expiresAt > services.clock.now())) return undefined
  const found = await bindSql(services.pool).one(find, [fileId, userId])
  return found && { ...found, fileId, expiresAt }
}
