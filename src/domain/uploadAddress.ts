import { isId, newId } from '../contract/ids.ts'
import { limits } from '../contract/limits.ts'
import { openToken, sealToken } from '../secrets/keyRing.ts'
import type { KeyActor, PersonActor } from './access/actor.ts'
import type { Services } from './context.ts'

/**
 * The file that an upload address makes, the key or the person that it belongs to, and the declared type of the content. `teamId`: the team
 * of a person.
 */
export type UploadGrant = { fileId: string; mimeType: string | undefined } & (
  | { actor: KeyActor; teamId?: undefined }
  | { actor: PersonActor; teamId: string }
)

/** For whom an address is made. */
type Uploader = KeyActor | { kind: 'person'; userId: string; teamId: string }

export type UploadAddress = { uploadUrl: string; expiresAt: Date; fileId: string }

const purpose = 'upload_address'

/**
 * Makes an address that takes the content of one file without a key. The token is encrypted, belongs to the presented value of the key, or
 * to the person and their team, and names the file, so that a second upload finds it and is refused. Contract: docs/contract.md#upload-addresses.
 */
export function createUploadAddress(
  { ring, clock, settings }: Pick<Services, 'ring' | 'clock' | 'settings'>,
  uploader: Uploader,
  mimeType: string | undefined,
): UploadAddress {
  const fileId = newId('file')
  const expiresAt = new Date(clock.now().getTime() + limits.uploadAddressMinutes * 60_000)
  const { userId, teamId } = uploader
  const { keyId, valueHash } = uploader.kind === 'key' ? uploader : { keyId: '', valueHash: undefined }
  const plain = [fileId, keyId, userId, teamId ?? '', expiresAt.getTime(), valueHash?.toString('base64url') ?? '', mimeType ?? ''].join('|')
  return { uploadUrl: `${settings.publicUrl}/u/${sealToken(ring, Buffer.from(plain), purpose)}`, expiresAt, fileId }
}

/**
 * Opens the token of an address; undefined when it is not ours, was altered or has expired. Whether the key still works, or the person is
 * still in the team, is not checked.
 */
export function openUploadAddress({ ring, clock }: Pick<Services, 'ring' | 'clock'>, token: string): UploadGrant | undefined {
  const [fileId = '', keyId = '', userId = '', teamId = '', until = '', hash = '', ...mimeType] =
    openToken(ring, token, purpose)?.toString().split('|') ?? []
  if (!isId('file', fileId) || !(Number(until) > clock.now().getTime())) return undefined
  const named = { fileId, mimeType: mimeType.join('|') || undefined }
  if (keyId === '') return { ...named, actor: { kind: 'person', userId }, teamId }
  return {
    ...named,
    actor: {
      kind: 'key',
      door: 'mcp',
      keyId,
      userId,
      teamId: teamId || null,
      scopes: ['mcp'],
      subscriptionActive: true,
      expiresAt: null,
      valueHash: hash === '' ? undefined : Buffer.from(hash, 'base64url'),
    },
  }
}
