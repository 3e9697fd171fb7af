import type { EntitySchema } from '@mikro-orm/core'

/**
 * Returns the columns of an entity for a `select` or `returning` list, prefixed with `alias` if given. Statements name their columns: a
 * prepared `select *` fails on every connection once a newer release has added a column.
 */
export function columnsOf({ meta }: Pick<EntitySchema, 'meta'>, alias?: string): string {
  const prefix = alias === undefined ? '' : `${alias}.`
  return Object.keys(meta.properties)
    .map((name) => prefix + columnName(name))
    .join(', ')
}

/** Converts a property to its column, `createdAt` to `created_at`, as the naming strategy of the ORM does. */
export function columnName(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
