import { Drawer } from '@mantine/core'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'

export type SidePanelProps = {
  /** The accessible name and heading: `Delivery`, `Generation`. */
  title: string
  opened: boolean
  onClose(): void
  /** Called after the panel closed. */
  onClosed?(): void
  /** True when the focus returns to its origin; otherwise `onClosed` sets it. */
  returnFocus?: boolean
  children: ReactNode
}

/** Details beside a list. Escape closes it, and the focus returns to the row. */
export function SidePanel({ title, opened, onClose, onClosed, returnFocus = true, children }: SidePanelProps) {
  const content = useRef<HTMLDivElement>(null)
  const closeByKey = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event
    if (event.key !== 'Escape' || event.isComposing || !(target instanceof Element)) return
    // Open dropdowns and dialogs handle Escape themselves.
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
