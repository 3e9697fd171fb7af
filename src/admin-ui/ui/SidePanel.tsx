import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'

export type SidePanelProps = {
  /** Its name and heading: `Delivery`, `Generation`. */
  title: string
  opened: boolean
  onClose(): void
  /** Once it is out of sight. */
  onClosed?(): void
  /** Whether the focus goes back to where it was; otherwise `onClosed` puts it somewhere. */
  returnFocus?: boolean
  children: ReactNode
}

/** Details beside the list that they belong to. Escape closes it, and the focus goes back to the row. */
export function SidePanel({ title, opened, onClose, onClosed, returnFocus = true, children }: SidePanelProps) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      returnFocus={returnFocus}
      position="right"
      size={560}
      title={title}
      padding="lg"
    >
      {children}
    </Drawer>
  )
}
