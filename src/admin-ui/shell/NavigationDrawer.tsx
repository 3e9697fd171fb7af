import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useOpenedAfterMount } from '../ui/hooks/useOpenedAfterMount.ts'

/** The navigation over the page, on small screens. */
export function NavigationDrawer({ opened, onClose, children }: { opened: boolean; onClose(): void; children: ReactNode }) {
  return (
    <Drawer opened={useOpenedAfterMount(opened)} onClose={onClose} size={280} title="Navigation" padding="sm">
      {children}
    </Drawer>
  )
}
