import type { EntitySchema } from '@mikro-orm/core'

/**
 * The columns of an entity for a `select` or `returning` list, behind `alias` where one is given. Statements name their columns: one
 * that takes all of them fails on every prepared connection as soon as a newer release has added one.
 */
export function columnsOf({ meta }: Pick<EntitySchema, 'meta'>, alias?: string): string {
  const prefix = alias === undefined ? '' : `${alias}.`
  return Object.keys(meta.properties)
    .map((name) => prefix + columnName(name))
    .join(', ')
}

/** `createdAt` is `created_at`, as the naming strategy of the ORM has it. */
export function columnName(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
