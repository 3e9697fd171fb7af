import { Refusal } from '../../contract/refusals/refusals.ts'
import type { GenerationSource } from '../../entities/Generation.ts'
import type { Actor } from './actor.ts'

/** The owner of a generation's history, the account that pays and the key whose ceilings apply. */
export type Spender = {
  /** A team, or a person outside any team. */
  ownerId: string
  accountId: string
  userId: string | null
  keyId: string | null
  source: GenerationSource
}

/** The credit account of a team or person: the same identifier with the prefix `acct_`, so that no query is needed. */
export function accountIdOf(ownerId: string): string {
  return `acct_${ownerId.slice(ownerId.indexOf('_') + 1)}`
}

/**
 * Resolves who pays for a start. Over REST the key's team pays, over MCP the issuer. An internal tool names a team. A person names one
 * of their teams (the caller of this function has checked that), or pays from their own account. What a person starts for a team has the
 * source `editor`. Refusals: team_required.
 * Contract: docs/contract.md#agent-keys.
 */
export function spenderOf(actor: Actor, teamId?: string): Spender {
  if (actor.kind === 'key') {
    const ownerId = actor.teamId ?? actor.userId
    const payer = actor.door === 'mcp' ? actor.userId : ownerId
    return {
      ownerId,
      accountId: accountIdOf(payer),
      userId: actor.userId,
      keyId: actor.keyId,
      source: actor.door,
    }
  }
  const userId = actor.kind === 'person' ? actor.userId : null
  if (teamId !== undefined) {
    const source = userId === null ? 'rest' : 'editor'
    return { ownerId: teamId, accountId: accountIdOf(teamId), userId, keyId: null, source }
  }
  if (userId === null) throw new Refusal('team_required', { missing: 'team' })
  return { ownerId: userId, accountId: accountIdOf(userId), userId, keyId: null, source: 'mcp' }
}
