import type { Context } from '../../domain/context.ts'

/** The team whose objects a request manages: that of the asking key, otherwise the named team. Empty for none. */
export function managedTeamId({ actor }: Pick<Context, 'actor'>, teamId: string | null | undefined): string {
  return (actor.kind === 'key' ? actor.teamId : teamId) ?? ''
}
