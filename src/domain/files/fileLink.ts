import { isId } from '../../contract/ids.ts'
import { limits } from '../../contract/limits.ts'
import type { StoredFile } from '../../entities/StoredFile.ts'
import { hasThumbnail } from '../../media/mediaFormats.ts'
import { openToken, sealToken } from '../../secrets/keyRing.ts'
import type { Services } from '../context.ts'
import { bindSql, statement } from '../sql.ts'

/** An uploaded image or WAV file, for a thumbnail. */
export type LinkedFile = { fileId: string; ownerId: string; storageKey: string; sizeBytes: number; sha256: string; expiresAt: Date }

const purpose = 'file_link'

/**
 * The URL of the thumbnail of an uploaded file, for a person of its team or an internal tool; null for a file without one. It works for 15
 * minutes, while the person is in the team. Contract: docs/contract.md#thumbnails.
 */
export function fileLink(
  { ring, clock, settings }: Pick<Services, 'ring' | 'clock' | 'settings'>,
  { file, userId }: { file: Pick<StoredFile, 'id' | 'state' | 'type' | 'mimeType'>; userId: string | null },
): string | null {
  if (file.state !== 'ready' || !hasThumbnail(file)) return null
  const until = clock.now().getTime() + limits.shortResultLinkMinutes * 60_000
  return `${settings.publicUrl}/r/${sealToken(ring, Buffer.from([file.id, userId ?? '', until].join('|')), purpose)}?preview=1`
}

const find = statement<Omit<LinkedFile, 'fileId' | 'expiresAt'> & Pick<StoredFile, 'type' | 'mimeType'>>(
  'linked_file',
  `select f.owner_id, f.storage_key, f.size_bytes, f.sha256, f.type, f.mime_type from files f
     left join teams t on t.id = f.owner_id
     left join memberships m on m.team_id = f.owner_id and m.user_id = $2
     where f.id = $1 and f.state = 'ready' and f.expires_at > present()
       and (t.id is null or (not t.blocked and t.external_access))
       and ($2 = '' or m.user_id is not null or f.owner_id = $2)`,
)

/** The file behind a link. `undefined` for a token that is not of a file, or whose file or person is gone. */
export async function openFileLink(services: Services, token: string): Promise<LinkedFile | undefined> {
  const [fileId = '', userId = '', until] = openToken(services.ring, token, purpose)?.toString().split('|') ?? []
  const expiresAt = new Date(Number(until))
  if (!isId('file', fileId) || !(expiresAt > services.clock.now())) return undefined
  const found = await bindSql(services.pool).one(find, [fileId, userId])
  if (!found || !hasThumbnail(found)) return undefined
  const { ownerId, storageKey, sizeBytes, sha256 } = found
  return { fileId, ownerId, storageKey, sizeBytes, sha256, expiresAt }
}
