import { Drawer } from '@mantine/core'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'

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
  const content = useRef<HTMLDivElement>(null)
  const closeByKey = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event
    if (event.key !== 'Escape' || event.isComposing || !(target instanceof Element)) return
    // A list that is unfolded, and a dialog that was opened from here, answer for themselves.
    if (target.getAttribute('data-mantine-stop-propagation') === 'true') return
    if (target === document.body || content.current?.closest('[role="dialog"]')?.contains(target)) onClose()
  })
  useEffect(() => {
    if (!opened) return undefined
    window.addEventListener('keydown', closeByKey, { capture: true })
    return () => window.removeEventListener('keydown', closeByKey, { capture: true })
  }, [opened])
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      returnFocus={returnFocus}
      closeOnEscape={false}
      position="right"
      size={560}
      title={title}
      padding="lg"
    >
      <div ref={content}>{children}</div>
    </Drawer>
  )
}
