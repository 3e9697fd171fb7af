import { rolesOf } from '../access/rolesOf.ts'
import type { Context } from '../context.ts'

/** Whether a person who asked for something of that owner's some time ago may still see it. Others are asked by their keys. */
export async function isStillTheirs(context: Context, ownerId: string): Promise<boolean> {
  const { actor } = context
  return actor.kind !== 'person' || actor.userId === ownerId || (await rolesOf(context, actor.userId)).has(ownerId)
}
