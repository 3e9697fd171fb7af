import { type CSSProperties, createContext, type ReactNode, use } from 'react'
import classes from './FilterField.module.css'

/** True while the filter bar shows placeholders for its fields, because the rows of the page are rendered first. */
export const FieldsDeferred = createContext(false)

export type FieldSize = {
  /** In pixels, on wide screens. */
  width: number
  /** On a phone in a row of its own. */
  ownRow?: boolean
}

/** The class and style for the size of a field. The responsive properties of Mantine would add a style element for each field. */
export function fieldSize({ width, ownRow = false }: FieldSize) {
  return { className: ownRow ? `${classes.field} ${classes.ownRow}` : classes.field, style: { '--field-width': `${width}px` } }
}

type DeferredFieldProps = FieldSize & { label: string; text: string; children: ReactNode }

/** A field with a list of values. It renders slower than ten rows, so a placeholder with `text` is shown until the rows are. */
export function DeferredField({ label, text, children, ...size }: DeferredFieldProps) {
  if (!use(FieldsDeferred)) return children
  const { className, style } = fieldSize(size)
  return (
    <div aria-hidden className={className} style={style as CSSProperties}>
      <span className={classes.label}>{label}</span>
      <span className={classes.input}>{text}</span>
    </div>
  )
}
