import { columnsOf } from '../../../database/pool/columnsOf.ts'
import { Generation } from '../../../entities/Generation.ts'

/** What is read of a generation, everywhere but in lists that leave long columns out: the columns of its entity. */
export const generationColumns = columnsOf(Generation)

/**
 * How much of each generation a list reads: all of it, all but its long columns, or with them the prompt. A column that is left out
 * is empty: it is neither fetched from where PostgreSQL keeps long values, nor sent.
 */
export type ListDetail = 'whole' | 'prompt' | 'brief'

/** In place of long columns. Of a result that is a text its kind stays. */
const omittedColumns = {
  parameters: "'{}'::jsonb",
  metadata: "'{}'::jsonb",
  result: (column: string) => `case when ${column} ? 'text' then '{"text":""}'::jsonb else ${column} end`,
  prompt: 'null::text',
} as const

/** The columns of a list's rows, behind `alias`. */
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
