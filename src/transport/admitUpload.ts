import { Refusal } from '../contract/refusals/refusals.ts'
import { keyIsStillValid } from '../domain/access/keys/revalidateKey.ts'
import { isSubscriber } from '../domain/access/people/users.ts'
import { runBlockerOf } from '../domain/access/teams/teamRuns.ts'
import { type Context, contextFor, type Services } from '../domain/context.ts'
import { openUploadAddress, type UploadGrant } from '../domain/uploadAddress.ts'

/**
 * Opens the token of an upload address, while the key that it belongs to still works and its issuer has a
 * subscription, or while the person that it belongs to may still run models in the team.
 * Refusals: not_found, equally for altered, expired and unknown tokens, and for those whose owner lost that right.
 */
export async function admitUpload(services: Services, token: string): Promise<UploadGrant> {
  const grant = openUploadAddress(services, token)
  if (grant && (await mayStillUpload(contextFor(services, grant.actor), grant))) return grant
  throw new Refusal('not_found')
}

async function mayStillUpload(context: Context, { actor, teamId }: UploadGrant): Promise<boolean> {
  if (actor.kind === 'person') return (await runBlockerOf(context, { teamId: teamId ?? '', userId: actor.userId })) === null
  const { keyId, userId } = actor
  return (await keyIsStillValid(context, keyId)) && (await isSubscriber(context, userId))
}
