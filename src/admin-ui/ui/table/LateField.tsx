import { type CSSProperties, createContext, type ReactNode, use } from 'react'
import classes from './FilterField.module.css'

/** Whether the fields of the filter bar still wait for the rows of the page. */
export const FieldsAreLate = createContext(false)

export type FieldSize = {
  /** In pixels, on wide screens. */
  width: number
  /** On a phone in a row of its own. */
  ownRow?: boolean
}

/** Without the responsive properties of Mantine, which add a style element for each field. */
export function fieldSize({ width, ownRow = false }: FieldSize) {
  return { className: ownRow ? `${classes.field} ${classes.ownRow}` : classes.field, style: { '--field-width': `${width}px` } }
}

type LateFieldProps = FieldSize & { label: string; text: string; children: ReactNode }

/** A field with a list of values. It takes more time than ten rows, so it is only drawn until the rows are shown. */
export function LateField({ label, text, children, ...size }: LateFieldProps) {
  if (!use(FieldsAreLate)) return children
  const { className, style } = fieldSize(size)
  return (
    <div aria-hidden className={className} style={style as CSSProperties}>
      <span className={classes.label}>{label}</span>
      <span className={classes.input}>{text}</span>
    </div>
  )
}
