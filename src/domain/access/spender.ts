import { Refusal } from '../../contract/refusals/refusals.ts'
import type { GenerationSource } from '../../entities/Generation.ts'
import type { Actor } from './actor.ts'

/** Whose history a generation joins, which account pays, and under which key's ceilings. */
export type Spender = {
  /** A team, or a user without one. */
  ownerId: string
  accountId: string
  userId: string | null
  keyId: string | null
  source: GenerationSource
}

/** The credit account of a team or user: the same identifier under another prefix, so that no look-up is needed. */
export function accountIdOf(ownerId: string): string {
  return `acct_${ownerId.slice(ownerId.indexOf('_') + 1)}`
}

/**
 * Who pays for what the actor starts. Over REST the team does, over MCP the person; an internal tool names the team. A person names one
 * of theirs, which the caller of this has made sure of, or means their own account. Refusals: team_required.
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
  if (teamId !== undefined) return { ownerId: teamId, accountId: accountIdOf(teamId), userId, keyId: null, source: 'rest' }
  if (userId === null) throw new Refusal('team_required', { missing: 'team' })
  return { ownerId: userId, accountId: accountIdOf(userId), userId, keyId: null, source: 'mcp' }
}
