import { columnsOf } from '../../../database/pool/columnsOf.ts'
import { Generation } from '../../../entities/Generation.ts'

/** The columns of the entity. Only lists without long columns read fewer. */
export const generationColumns = columnsOf(Generation)

/**
 * The columns that a list reads: all, all but the long ones, or these and the prompt. Omitted columns are empty: PostgreSQL neither reads
 * their TOAST values nor sends them.
 */
export type ListDetail = 'whole' | 'prompt' | 'brief'

/** Replacements of long columns. A text result keeps its kind. */
const omittedColumns = {
  parameters: "'{}'::jsonb",
  metadata: "'{}'::jsonb",
  result: (column: string) => `case when ${column} ? 'text' then '{"text":""}'::jsonb else ${column} end`,
  prompt: 'null::text',
} as const

/** The columns of a list, qualified by `alias`. */
export function listedColumns(detail: ListDetail, alias: string): string {
  const columns = columnsOf(Generation, alias).split(', ')
  if (detail === 'whole') return columns.join(', ')
  return columns
    .map((column) => {
      const name = column.slice(alias.length + 1)
      if (!Object.hasOwn(omittedColumns, name) || (name === 'prompt' && detail === 'prompt')) return column
      const instead = omittedColumns[name as keyof typeof omittedColumns]
      return `${typeof instead === 'string' ? instead : instead(column)} as ${name}`
    })
    .join(', ')
}
