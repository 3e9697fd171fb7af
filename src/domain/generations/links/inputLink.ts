import { createHash } from 'node:crypto'
import { isId } from '../../../contract/ids.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import { openToken, sealToken } from '../../../secrets/keyRing.ts'
import { type Context, contextFor, type Services } from '../../context.ts'
import { type FoundInput, findInputs } from '../../files/findInputs.ts'
import { findGeneration } from '../reading/readGeneration.ts'
import { namedInputsOf } from '../start/requestedInputs.ts'

/** One input of one attempt. `index`: the position among all inputs of the generation. */
export type InputGrant = { generationId: string; attempt: number; index: number }

/** The input behind a link. `sha256` identifies the content, but is not its digest. */
export type LinkedInput = FoundInput & { generationId: string; sha256: string }

const purpose = 'input_link'
const ttlSeconds = 3600

/**
 * The URL from which a vendor may fetch an input. It is valid for this input and this attempt, until the attempt ends, for at most an hour.
 * It does not depend on a key.
 */
export function inputLink({ ring, clock, settings }: Pick<Services, 'ring' | 'clock' | 'settings'>, grant: InputGrant): string {
  const seconds = Math.floor(clock.now().getTime() / 1000) + ttlSeconds
  const plain = [grant.generationId, grant.attempt, grant.index, seconds].join('|')
  return `${settings.publicUrl}/r/${sealToken(ring, Buffer.from(plain), purpose)}`
}

/**
 * The input behind a link, while its attempt is open. `undefined` for a token that is not an input link.
 * Refusals: not_found for an expired link.
 */
export async function openInputLink(services: Services, token: string): Promise<LinkedInput | undefined> {
  const [generationId = '', attempt, index, seconds] = openToken(services.ring, token, purpose)?.toString().split('|') ?? []
  if (!isId('gen', generationId)) return undefined
  const context = contextFor(services, { kind: 'system' })
  const found = new Date(Number(seconds) * 1000) > services.clock.now() ? await findGeneration(context, generationId) : undefined
  if (!found || found.finishedAt || found.attempt !== Number(attempt)) throw new Refusal('not_found')
  const input = await inputAt(context, found.ownerId, namedInputsOf(found.inputs)[Number(index)])
  // Objects never change, so the key identifies the content.
  return { ...input, generationId, sha256: createHash('sha256').update(input.storageKey).digest('hex') }
}

async function inputAt(
  context: Context,
  ownerId: string,
  named: ReturnType<typeof namedInputsOf>[number] | undefined,
): Promise<FoundInput> {
  const [input] = named ? await findInputs(context, ownerId, [named]).catch(refuseAsNotFound) : []
  if (!input) throw new Refusal('not_found')
  return input
}

function refuseAsNotFound(error: unknown): never {
  if (error instanceof Refusal && error.code !== 'service_unavailable') throw new Refusal('not_found', undefined, { cause: error })
  throw error
}
