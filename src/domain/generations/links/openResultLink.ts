import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { Services } from '../../context.ts'
import { findLinkedResult, type LinkedResult } from './findLinkedResult.ts'
import { openResultToken } from './resultLink.ts'

/**
 * The result behind the token of a link, and when the link ends, while the link is valid (`findLinkedResult`).
 * Refusals: not_found, equally for altered, expired, revoked and unknown tokens. Contract: docs/contract.md#life-of-a-result-link.
 */
export async function openResultLink(services: Services, token: string): Promise<LinkedResult & { expiresAt: Date }> {
  const grant = openResultToken(services.ring, services.clock, token)
  const found = grant && (await findLinkedResult(services, grant))
  if (!grant || !found) throw new Refusal('not_found')
  return { ...found, expiresAt: grant.expiresAt }
}
