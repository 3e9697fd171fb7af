import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'

export type SidePanelProps = {
  /** Its name and heading: `Delivery`, `Generation`. */
  title: string
  opened: boolean
  onClose(): void
  /** Once it is out of sight. */
  onClosed?(): void
  children: ReactNode
}

/** Details beside the list that they belong to. Escape closes it, and the focus goes back to the row. */
export function SidePanel({ title, opened, onClose, onClosed, children }: SidePanelProps) {
  return (
    <Drawer opened={opened} onClose={onClose} onExitTransitionEnd={onClosed} position="right" size={560} title={title} padding="lg">
      {children}
    </Drawer>
  )
}
