import type { Scope } from '../../entities/ApiKey.ts'

/** A key that was let in: the team whose credits and history it uses, the person in whose name it acts. */
export type KeyActor = {
  kind: 'key'
  keyId: string
  userId: string
  teamId: string | null
  scopes: readonly Scope[]
  subscriptionActive: boolean
  /** The door it came through: over MCP the personal account pays. */
  door: 'rest' | 'mcp'
  /** The hash of the value that was presented: what goes on for long ends with it, though the key may have another by then. */
  valueHash?: Buffer | undefined
}

/** An internal tool with the service token. It may act on any team. */
export type ServiceActor = { kind: 'service' }

/** Somebody who has signed in. What they may do in a team is read when it is asked, since it may change at any time. */
export type PersonActor = { kind: 'person'; userId: string }

/** Our own jobs. */
export type SystemActor = { kind: 'system' }

export type Actor = KeyActor | ServiceActor | PersonActor | SystemActor
