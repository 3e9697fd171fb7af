import { type Failure, failureOfAnswer, unreachable } from './failure.ts'
import type { Role } from './viewer.ts'

export type Invitation = {
  teamId: string
  teamName: string
  email: string
  role: Lowercase<Role>
  /** The name of the person who invited; null for the operator. */
  invitedBy: string | null
  expiresAt: string
  /** The e-mail address of the session in this browser. */
  signedInAs: string | null
}

export type Answer<Data> = { data: Data; failure?: never } | { data?: never; failure: Failure }

/** Reads the invitation of a link. */
export function readInvitation(token: string): Promise<Answer<Invitation>> {
  return post('/auth/invitation', { token })
}

/** Accepts with the session of this browser, or with a new account. */
export function acceptInvitation(body: { token: string; name?: string; password?: string }): Promise<Answer<{ teamId: string }>> {
  return post('/auth/invitation/accept', body)
}

async function post<Data>(path: string, body: object): Promise<Answer<Data>> {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(path, init).catch(() => undefined)
  if (response === undefined) return { failure: unreachable }
  return response.ok ? { data: (await response.json()) as Data } : { failure: await failureOfAnswer(response) }
}
