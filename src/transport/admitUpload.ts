import { Refusal } from '../contract/refusals/refusals.ts'
import { keyIsStillValid } from '../domain/access/keys/revalidateKey.ts'
import { contextFor, type Services } from '../domain/context.ts'
import { openUploadAddress, type UploadGrant } from '../domain/uploadAddress.ts'

/**
 * Opens the token of an upload address, while the key that it belongs to still works.
 * Refusals: not_found, equally for altered, expired and unknown tokens, and for those of a key that has ended.
 */
export async function admitUpload(services: Services, token: string): Promise<UploadGrant> {
  const grant = openUploadAddress(services, token)
  if (grant && (await keyIsStillValid(contextFor(services, grant.actor), grant.actor.keyId))) return grant
  throw new Refusal('not_found')
}
