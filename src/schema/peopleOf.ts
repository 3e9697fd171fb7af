import type { SchemaContext } from './context.ts'
import type { AuthScopes } from './scopes.ts'

/** The people who may ask in the name of a team, its members, or, where none is named, in their own: anybody who has signed in. */
export function peopleOf(teamId: string | null | undefined, { context: { actor } }: SchemaContext): Partial<AuthScopes> {
  if (typeof teamId === 'string') return { teamMember: teamId }
  return actor.kind === 'person' ? { person: actor.userId } : {}
}
