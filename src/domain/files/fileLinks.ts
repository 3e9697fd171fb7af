import { isId } from '../../contract/ids.ts'
import { limits } from '../../contract/limits.ts'
import type { StoredFile } from '../../entities/StoredFile.ts'
import { hasThumbnail } from '../../media/mediaFormats.ts'
import { openToken, sealToken } from '../../secrets/keyRing.ts'
import type { Services } from '../context.ts'
import { bindSql, statement } from '../sql.ts'

/** An uploaded file behind a link. */
export type LinkedFile = Pick<StoredFile, 'ownerId' | 'storageKey' | 'sizeBytes' | 'sha256' | 'type'> & {
  fileId: string
  mimeType: string
  expiresAt: Date
}

const purpose = 'file_link'

/**
 * The URLs of an uploaded file, for a person of its team or an internal tool. A file with a thumbnail has only `thumbnailUrl`. Any other
 * file has only `contentUrl`, from which the admin UI draws a picture. Both are null until the file is ready. They work for 15 minutes,
 * while the person is in the team. Contract: docs/contract.md#thumbnails.
 */
export function fileLinks(
  { ring, clock, settings }: Pick<Services, 'ring' | 'clock' | 'settings'>,
  { file, userId }: { file: Pick<StoredFile, 'id' | 'state' | 'type' | 'mimeType'>; userId: string | null },
): { thumbnailUrl: string | null; contentUrl: string | null } {
  if (file.state !== 'ready') return { thumbnailUrl: null, contentUrl: null }
  const until = clock.now().getTime() + limits.shortResultLinkMinutes * 60_000
  const url = `${settings.publicUrl}/r/${sealToken(ring, Buffer.from([file.id, userId ?? '', until].join('|')), purpose)}`
  return hasThumbnail(file) ? { thumbnailUrl: `${url}?preview=1`, contentUrl: null } : { thumbnailUrl: null, contentUrl: url }
}

const find = statement<Omit<LinkedFile, 'fileId' | 'expiresAt'>>(
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
  return found && { ...found, fileId, expiresAt }
}
