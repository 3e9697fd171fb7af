import type { EntitySchema } from '@mikro-orm/core'
import { columnName } from './columnsOf.ts'

/** One entity among the columns of a joined row. */
export type NestedRow<Entity> = {
  /** For the `select` list. */
  columns: string
  /** Reads the entity from a row in camelCase; `undefined` if the join found none. */
  read(row: object): Entity | undefined
}

/** Reads the entity that a statement joins as `alias`. `prefix` renames its columns, which would clash with others of the row. */
export function nestedRow<Entity>({ meta }: Pick<EntitySchema<Entity>, 'meta'>, alias: string, prefix: string): NestedRow<Entity> {
  const names = Object.keys(meta.properties).map((property) => ({ property, inRow: prefix + capitalised(property) }))
  return {
    columns: names.map(({ property, inRow }) => `${alias}.${columnName(property)} as ${columnName(inRow)}`).join(', '),
    read(row) {
      const values = row as Record<string, unknown>
      if (values[`${prefix}Id`] === null || values[`${prefix}Id`] === undefined) return undefined
      const entity: Record<string, unknown> = {}
      for (const { property, inRow } of names) entity[property] = values[inRow]
      return entity as Entity
    },
  }
}

function capitalised(property: string): string {
  return property.charAt(0).toUpperCase() + property.slice(1)
}
