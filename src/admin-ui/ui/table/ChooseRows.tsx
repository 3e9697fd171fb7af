import classes from './ChooseRows.module.css'

/** Rows that are chosen for an action on all of them. */
export type RowChoice<Row> = {
  chosen: ReadonlySet<string>
  nameOf(row: Row): string
  onChange(keys: Set<string>): void
}

/** The checkbox of a row. It is native: a checkbox of Mantine has eight elements, which render as slowly as the rest of the row. */
export function ChooseRow({ name, isChosen, onChange }: { name: string; isChosen: boolean; onChange(isChosen: boolean): void }) {
  return (
    <input
      type="checkbox"
      className={`${classes.box} mantine-focus-auto`}
      aria-label={`Select ${name}`}
      checked={isChosen}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  )
}

/** The chosen rows with one row more or fewer. */
export function withRow(chosen: ReadonlySet<string>, key: string, isChosen: boolean): Set<string> {
  const keys = new Set(chosen)
  if (isChosen) keys.add(key)
  else keys.delete(key)
  return keys
}

type ChooseAllProps<Row> = { choice: RowChoice<Row>; rows: readonly Row[]; keyOf(row: Row): string }

/** The checkbox for all loaded rows. */
export function ChooseAll<Row>({ choice, rows, keyOf }: ChooseAllProps<Row>) {
  const count = rows.filter((row) => choice.chosen.has(keyOf(row))).length
  return (
    <input
      type="checkbox"
      className={`${classes.box} mantine-focus-auto`}
      aria-label="Select all"
      checked={count > 0 && count === rows.length}
      ref={(box) => {
        if (box) box.indeterminate = count > 0 && count < rows.length
      }}
      onChange={({ currentTarget: { checked } }) => choice.onChange(new Set(checked ? rows.map(keyOf) : []))}
    />
  )
}
