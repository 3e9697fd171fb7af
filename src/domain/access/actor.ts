import type { Scope } from '../../entities/ApiKey.ts'

/** An authenticated key. `teamId`: the team whose history it uses; `userId`: its issuer, for whom it acts. */
export type KeyActor = {
  kind: 'key'
  keyId: string
  userId: string
  teamId: string | null
  scopes: readonly Scope[]
  subscriptionActive: boolean
  /** When the key ends; null for a key without an end. */
  expiresAt: Date | null
  /** The interface that received the request. Over MCP the issuer's personal account pays. */
  door: 'rest' | 'mcp'
  /** The person to whom a rotation showed the presented value; null or absent for the issuer. */
  holderId?: string | null | undefined
  /** The hash of the presented value. Long requests end when this value stops working, even if the key has a new value. */
  valueHash?: Buffer | undefined
}

/** An internal tool with SERVICE_TOKEN, which may act on every team, or with a named service token. */
export type ServiceActor = { kind: 'service'; token?: ServiceTokenGrant | undefined }

/** What a named service token permits. `teamIds`: the only teams that it may act on; `null` for everything. */
export type ServiceTokenGrant = { id: string; readOnly: boolean; teamIds: readonly string[] | null }

/** A signed-in person. Their role in a team is read with each request, because it can change at any time. */
export type PersonActor = {
  kind: 'person'
  userId: string
  /** The session of the request; absent where no request caused the work. */
  sessionId?: string
}

/** The service itself: jobs and routines. */
export type SystemActor = { kind: 'system' }

export type Actor = KeyActor | ServiceActor | PersonActor | SystemActor

/** Whether the actor is a service token that may act on some teams only. */
export function isLimitedTool(actor: Actor): boolean {
  return actor.kind === 'service' && actor.token !== undefined && actor.token.teamIds !== null
}
