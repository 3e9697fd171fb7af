import type { ReactNode } from 'react'
import classes from './LegendEntry.module.css'

/** An entry of the legend of a chart. */
export function LegendEntry({ color, children }: { color: string; children: ReactNode }) {
  return (
    <span className={classes.entry}>
      <span className={classes.swatch} style={{ background: color }} />
      <span>{children}</span>
    </span>
  )
}
