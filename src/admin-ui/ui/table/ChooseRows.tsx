import { Checkbox } from '@mantine/core'

/** Rows that are chosen for an action on all of them. */
export type RowChoice<Row> = {
  chosen: ReadonlySet<string>
  nameOf(row: Row): string
  onChange(keys: Set<string>): void
}

/** The checkbox of a row. */
export function ChooseRow<Row>({ choice, row, id }: { choice: RowChoice<Row>; row: Row; id: string }) {
  return (
    <Checkbox
      size="xs"
      aria-label={`Select ${choice.nameOf(row)}`}
      checked={choice.chosen.has(id)}
      onChange={({ currentTarget: { checked } }) => {
        const keys = new Set(choice.chosen)
        if (checked) keys.add(id)
        else keys.delete(id)
        choice.onChange(keys)
      }}
    />
  )
}

type ChooseAllProps<Row> = { choice: RowChoice<Row>; rows: readonly Row[]; keyOf(row: Row): string }

/** The checkbox for all loaded rows. */
export function ChooseAll<Row>({ choice, rows, keyOf }: ChooseAllProps<Row>) {
  const count = rows.filter((row) => choice.chosen.has(keyOf(row))).length
  return (
    <Checkbox
      size="xs"
      aria-label="Select all"
      checked={count > 0 && count === rows.length}
      indeterminate={count > 0 && count < rows.length}
      onChange={({ currentTarget: { checked } }) => choice.onChange(new Set(checked ? rows.map(keyOf) : []))}
    />
  )
}
