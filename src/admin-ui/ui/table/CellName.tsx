import classes from './DataTable.module.css'

/** The heading of a cell on a card. Screen readers have it from the table. */
export function CellName({ name }: { name: string }) {
  return (
    <span className={classes.name} aria-hidden>
      {name}
    </span>
  )
}
